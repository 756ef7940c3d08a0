import { formatTimestamp, parseKey } from "../../../core/internal.ts";
import { issueKey } from "../../../core/mod.ts";
import type { KeyId, UtcMillis } from "../../../core/mod.ts";
import { nodeSha256 } from "../../node/digest.ts";
import { randomBytes } from "../../system.ts";
import { demandOperands } from "../args.ts";
import { keyJson, keyState } from "../book.ts";
import { defineCommand } from "../command.ts";
import { changeBook, withDesk } from "../desk.ts";
import { EXIT, wrongUsage } from "../failure.ts";
import { UNITS_MS } from "./keys_create.ts";
import { settingOptions } from "../settings_sources.ts";

const MAX_OVERLAP_MS = 7 * UNITS_MS["d"]!;
const OVERLAP = /^(\d{1,3})([hd])$/;

const DETAILS = `Makes a new key for the account of a live one. Until the overlap is over both keys work and count
against the same units; then the old one is refused, also by a running server. An overlap of 0h ends
the old key at once, as is right for one that has leaked. The new key takes over the note, and the
end where the old one has one. It is printed this once.`;

/** `keys roll`: replaces a key by a new one. */
export const keysRoll = defineCommand({
  name: "keys roll",
  operands: "ID",
  summary: "Replace a key by a new one, with a time in which both work",
  details: DETAILS,
  options: {
    overlap: { kind: "text", placeholder: "TIME", summary: "How long the old key goes on working: 0h to 7d [default 24h]" },
    ...settingOptions(["data"]),
  },
  async run(surroundings, { options, operands }) {
    const { ID } = demandOperands(operands, "ID");
    const overlap = readOverlap(options.overlap ?? "24h");
    return withDesk(options, surroundings, "there", async (desk) => {
      const now = surroundings.clock();
      const id = parseKey(ID)?.id ?? (ID as KeyId);
      const old = (await desk.book()).keys.find((key) => key.id === id);
      // The text is not repeated: it may be a key with a typing error.
      if (!old) throw wrongUsage("There is no key with this ID; keys list shows them all");
      const state = keyState(old, now);
      if (state !== "live") throw wrongUsage(`Key ${id} is ${state}; keys create makes another`);
      const { accountId, expiresAt, note } = old;
      const { key, entry } = await issueKey({ randomBytes, sha256: nodeSha256 }, { accountId, createdAt: now, expiresAt, note });
      // One change of the book: nobody is ever left with none of the two, or with both for good.
      const at = (now + overlap) as UtcMillis;
      const book = await changeBook(desk, [{ op: "key.create", entry }, { op: "key.expire", id, at }]);
      const replaced = book.keys.find((other) => other.id === id)!;
      const isOver = keyState(replaced, now) !== "live" || replaced.expiresAt === null;
      const until = isOver ? "is refused from now on" : `works until ${formatTimestamp(replaced.expiresAt)}`;
      await surroundings.terminal.write(
        options.json
          ? `${JSON.stringify({ key, ...keyJson(entry, now), replaces: keyJson(replaced, now) })}\n`
          : `Key ${entry.id} of account ${accountId} takes the place of ${id}, which ${until}:\n\n  ${key}\n\n` +
              "Keep it now: it cannot be shown again.\n",
      );
      return EXIT.done;
    });
  },
});

function readOverlap(text: string): number {
  const [, count, unit] = OVERLAP.exec(text) ?? [];
  const overlap = count && unit ? Number(count) * UNITS_MS[unit]! : NaN;
  if (!(overlap <= MAX_OVERLAP_MS)) throw wrongUsage(`--overlap must be from 0h to 7d, e.g. 24h: received "${text}"`);
  return overlap;
}
