import type { AssetCode, UtcMillis } from "../brand.ts";
import { shaped } from "../bytes/json_shape.ts";
import { EMPTY_ARCHIVE } from "./archive.ts";
import { NEW_LEDGER } from "./ledger.ts";
import { NEW_MIRROR } from "./state.ts";
import type { MirrorState } from "./state.ts";

const WHAT = "the state of the mirror";
const ARCHIVE = [{ code: "string", filled: [{ from: "whole", to: "whole" }], "askedAt?": "whole" }] as const;

/** The state as a JSON value. */
export function writeMirrorState({ archive, ...rest }: MirrorState): object {
  return { schema: 2, ...rest, archive: [...archive].map(([code, known]) => ({ code, ...known })) };
}

/** Parses what `writeMirrorState` has made; of the version before, what was spent and filled is taken over. Throws `TypeError` for anything else. */
export function parseMirrorState(value: unknown): MirrorState {
  const { schema, archive, ...state } = shaped({ schema: "whole", ledger: {}, archive: ARCHIVE }, value, WHAT);
  if (schema !== 1 && schema !== 2) throw new TypeError(`Cannot read ${WHAT} as its schema must be 2: received "${schema}"`);
  // A code that the catalog does not have is never asked for.
  const known = new Map(archive.map(({ code, ...rest }) => [code as AssetCode, { ...EMPTY_ARCHIVE, ...rest, ...(schema === 1 && { emptyRun: 0, again: [] }) }]));
  if (schema === 2) return { ...(state as unknown as MirrorState), archive: known as MirrorState["archive"] };
  const { used, takenAt } = shaped({ ledger: { used: "count", takenAt: "whole" } }, value, WHAT).ledger;
  const at = takenAt as UtcMillis;
  return { ...NEW_MIRROR, ledger: { ...NEW_LEDGER, spans: [{ from: at, to: at, good: used, open: 0, free: 0 }] }, archive: known as MirrorState["archive"] };
}
