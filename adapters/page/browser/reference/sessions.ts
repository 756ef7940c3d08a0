// What a visitor has entered and received, by operation. In memory only, and kept when the view is drawn anew, as a key
// or another language should not empty the form.
import type { Operation } from "./operations.ts";
import { firstEntries } from "./request.ts";
import type { Entries } from "./request.ts";
import type { Received } from "./send.ts";

/** The form of an operation, and its last answer, or what was thrown instead. */
export interface Session {
  entries: Entries;
  received: Received | undefined;
  thrown: unknown;
}

const sessions = new Map<string, Session>();

/** What holds for all operations: the language of the examples, `curl`, `javascript`, `python` or `client`. */
export const shared = { language: "curl" };

/** The session of an operation, which begins with its example. */
export function sessionOf(operation: Operation): Session {
  const found = sessions.get(operation.id) ?? { entries: firstEntries(operation, new Date()), received: undefined, thrown: undefined };
  sessions.set(operation.id, found);
  return found;
}
