import { programVersion } from "../../../server/program_version.ts";
import { thisProcess } from "../../../server/this_process.ts";
import type { ChangedBy } from "../../shared/store.ts";

/** A process that asks for something, as it says itself: whoever may connect may also change the files. */
export interface Caller extends ChangedBy {
  readonly version: string;
}

let own: Caller | undefined;

/** This process. */
export function thisCaller(): Caller {
  return (own ??= { ...thisProcess(), version: programVersion() });
}

/** Why the two processes must not work together: each would misread the other. `undefined` where they may. */
export function otherVersion(version: string | undefined): string | undefined {
  const known = thisCaller().version;
  if (version === known || version === "unknown" || known === "unknown") return undefined;
  return `This is version ${known}, and the process at the other end is ${version === undefined ? "an earlier one" : `version ${version}`}: use the same version, and start a server anew after an upgrade`;
}
