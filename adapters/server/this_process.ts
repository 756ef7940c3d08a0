import { userInfo } from "node:os";
import { basename } from "node:path";
import type { ChangedBy } from "../stores/shared/store.ts";

/** Longer command lines are cut. */
const MAX_TEXT = 100;

/** The user and the program that make the changes of this process. */
export function thisProcess(): ChangedBy {
  return { user: userName(), program: programName(process.argv.slice(1)), pid: process.pid };
}

/** The name of the user. With sudo, also the name of the user who ran sudo. */
function userName(): string {
  const { SUDO_USER } = process.env;
  try {
    return `${userInfo().username}${SUDO_USER === undefined ? "" : ` (${SUDO_USER})`}`;
  } catch {
    return `user ${process.getuid?.() ?? "unknown"}`; // A user without a name, as in many containers.
  }
}

/** The name of the program and its arguments before the first option, e.g. `mazaneh keys revoke 4kT9xQ2a`. */
function programName([file = "node", ...words]: readonly string[]): string {
  const end = words.findIndex((word) => word.startsWith("-"));
  return [basename(file), ...words.slice(0, end === -1 ? words.length : end)].join(" ").slice(0, MAX_TEXT);
}
