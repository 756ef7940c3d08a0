// What a visitor has entered and received, by operation. In memory only, and kept when the view is drawn anew, as a key
// or another language should not empty the form.
import type { Operation } from "./operations.ts";
import { firstEntries } from "./request.ts";
import type { Entries } from "./request.ts";

/** An answer as it arrived. */
export interface Received {
  readonly status: number;
  readonly milliseconds: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The form of an operation, and its last answer, or what was thrown instead. */
export interface Draft {
  entries: Entries;
  received: Received | undefined;
  thrown: unknown;
  /** The query of the address that filled in the form; empty for none. */
  filledBy: string;
}

const drafts = new Map<string, Draft>();

/** What holds for all operations: the language of the examples, `curl`, `javascript`, `python` or `client`. */
export const shared = { language: "curl" };

/**
 * Fills in the form of an operation from the query of an address, e.g. `assetName=USD_RLS&from=2026-08-01`: once, so
 * that what the visitor changes afterwards stays.
 */
export function fillIn(operation: Operation, query: URLSearchParams): void {
  const draft = draftOf(operation);
  if (draft.filledBy === String(query)) return;
  draft.filledBy = String(query);
  const given = operation.parameters.flatMap(({ name }) => (query.has(name) ? [[name, query.get(name) ?? ""] as const] : []));
  draft.entries = { ...draft.entries, values: { ...draft.entries.values, ...Object.fromEntries(given) } };
}

/** The draft of an operation, which begins with its example. */
export function draftOf(operation: Operation): Draft {
  const found = drafts.get(operation.id) ?? { entries: firstEntries(operation, new Date()), received: undefined, thrown: undefined, filledBy: "" };
  drafts.set(operation.id, found);
  return found;
}
