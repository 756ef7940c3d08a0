import manifest from "../../package.json" with { type: "json" };

/** The version of this package, inlined by the build. */
export const PROGRAM_VERSION = manifest.version;
