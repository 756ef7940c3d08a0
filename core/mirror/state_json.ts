import type { AssetCode } from "../brand.ts";
import { shaped } from "../bytes/json_shape.ts";
import type { CodeArchive } from "./archive.ts";
import type { MirrorState } from "./state.ts";

const RANGE = { from: "whole", to: "whole" } as const;
const STATE = {
  schema: "whole",
  ledger: { day: "whole", used: "count", takenAt: "whole", unanswered: "count", "told?": { remaining: "count", until: "whole" }, "restUntil?": "whole" },
  "triedAt?": "whole", "refreshedAt?": "whole", gapUntil: "whole", "historyAt?": "whole", failures: "count", "retryAt?": "whole",
  "checkedOn?": "whole", "attributionRequired?": "boolean",
  archive: [{
    code: "string", filled: [RANGE], "askedAt?": "whole", emptyRun: "count", "oldest?": "whole", failures: "count", "notBefore?": "whole",
    again: [{ ...RANGE, at: "whole" }],
  }],
  pending: [{ code: "string", value: "number", businessTime: "whole" }],
} as const;

/** The state as a JSON value. */
export function writeMirrorState({ archive, ...rest }: MirrorState): object {
  return { schema: 1, ...rest, archive: [...archive].map(([code, known]) => ({ code, ...known })) };
}

/**
 * Parses what `writeMirrorState` has made.
 *
 * @throws TypeError for anything else, with the name of the member that is wrong.
 */
export function parseMirrorState(value: unknown): MirrorState {
  const { schema, archive, ...state } = shaped(STATE, value, "the state of the mirror");
  if (schema !== 1) throw new TypeError(`Cannot read the state of the mirror as its schema must be 1: received "${schema}"`);
  // A code that the catalog does not have is never asked for.
  const known = archive.map(({ code, ...rest }) => [code as AssetCode, rest as CodeArchive] as const);
  return { ...(state as Omit<MirrorState, "archive">), archive: new Map(known) };
}
