import manifest from "../../package.json" with { type: "json" };

/** The version of this package. It is part of the built code, which needs no file for it in the bundle of an app. */
export const PROGRAM_VERSION = manifest.version;
