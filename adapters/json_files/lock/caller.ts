import { userInfo } from "node:os";
import { basename } from "node:path";
import type { AccountChange, KeyEntry } from "../../../core/mod.ts";
import { storedBy } from "../../store/imports.ts";
import type { Import } from "../../store/imports.ts";
import type { ChangedBy, StoreChange } from "../../store/store.ts";
import { programVersion } from "../../version.ts";
import type { StoreAccess } from "./access.ts";

/** A process that asks for something, as it says itself: whoever may connect may also change the files. */
export interface Caller extends ChangedBy {
  readonly version: string;
}

/** The longest command line that is told. */
const MAX_TEXT = 100;

let own: Caller | undefined;

/** This process. */
export function thisCaller(): Caller {
  return (own ??= { user: userName(), program: programName(process.argv.slice(1)), pid: process.pid, version: programVersion() });
}

/** Why the two processes must not work together: each would misread the other. `undefined` where they may. */
export function otherVersion(version: string | undefined): string | undefined {
  const known = thisCaller().version;
  if (version === known || version === "unknown" || known === "unknown") return undefined;
  return `This is version ${known}, and the process at the other end is ${version === undefined ? "an earlier one" : `version ${version}`}: use the same version, and start a server anew after an upgrade`;
}

/** The same access, which tells of each change that was made. */
export function tellingOf(access: StoreAccess, by: ChangedBy, tell: (change: StoreChange) => void): StoreAccess {
  const { append, update, imports } = access;
  const { user, program, pid } = by;
  const told = (change: Omit<StoreChange, keyof ChangedBy>): void => tell({ ...change, user, program, pid });
  return {
    ...access,
    async append(batch) {
      const outcome = await append(batch);
      const records = outcome.accepted + outcome.replaced;
      if (records > 0) told({ what: "stored prices", records });
      return outcome;
    },
    async update(changes) {
      const book = await update(changes);
      for (const change of changes) told({ what: inWords(change) });
      return book;
    },
    imports: {
      ...imports,
      async finish(id, summary) {
        const imported = await imports.finish(id, summary);
        told({ what: subjectOf(imported), import: id, records: storedBy(summary) });
        return imported;
      },
      async undo(id) {
        const outcome = await imports.undo(id);
        if (!outcome.pending) told({ what: `undid ${subjectOf(outcome.imported)}`, import: id, records: outcome.restored + outcome.removed });
        return outcome;
      },
    },
  };
}

function subjectOf({ type, id, subjects }: Import): string {
  return `${type} ${id}${subjects.length === 0 ? "" : ` of ${subjects.join(", ")}`}`;
}

function inWords(change: AccountChange): string {
  switch (change.op) {
    case "plan.patch":
      return `changed plan ${change.name}`;
    case "account.patch":
      return `changed account ${change.id}`;
    case "key.create":
      return `made key ${change.entry.id} of account ${change.entry.accountId}${scopeOf(change.entry)}`;
    case "key.expire":
      return `set the end of key ${change.id}`;
    case "key.revoke":
      return `revoked key ${change.id}`;
  }
}

function scopeOf({ may, codes }: KeyEntry): string {
  return may === undefined ? "" : `, which may ${may}${codes ? ` ${codes.join(", ")}` : ""}`;
}

/** The user, and who has become that user. */
function userName(): string {
  const { SUDO_USER } = process.env;
  try {
    return `${userInfo().username}${SUDO_USER === undefined ? "" : ` (${SUDO_USER})`}`;
  } catch {
    return `user ${process.getuid?.() ?? "unknown"}`; // A container may run one without a name.
  }
}

/** The program and the words before its first option, e.g. `mazaneh keys revoke 4kT9xQ2a`. */
function programName([file = "node", ...words]: readonly string[]): string {
  const end = words.findIndex((word) => word.startsWith("-"));
  return [basename(file), ...words.slice(0, end === -1 ? words.length : end)].join(" ").slice(0, MAX_TEXT);
}
