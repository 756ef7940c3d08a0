import { parseKey } from "../../../core/internal.ts";
import type { KeyId } from "../../../core/mod.ts";
import { demandOperands } from "../args.ts";
import { keyJson } from "../book.ts";
import { defineCommand } from "../command.ts";
import { changeBook, withDesk } from "../desk.ts";
import { EXIT } from "../failure.ts";
import { settingOptions } from "../settings_sources.ts";

const DETAILS = `ID is the eight characters after mz_live_, as keys list shows them. The key is refused from the next
request on, also by a running server, and cannot be revived.`;

/** `keys revoke`: ends a key for good. */
export const keysRevoke = defineCommand({
  name: "keys revoke",
  operands: "ID",
  summary: "End a key for good",
  details: DETAILS,
  options: settingOptions(["data"]),
  async run(surroundings, { options, operands }) {
    const { ID } = demandOperands(operands, "ID");
    return withDesk(options, surroundings, "there", async (desk) => {
      // Who finds a leaked key has the whole of it at hand.
      const id = parseKey(ID)?.id ?? (ID as KeyId);
      const now = surroundings.clock();
      // The text is not repeated: it may be a key with a typing error.
      const book = await changeBook(desk, [{ op: "key.revoke", id, at: now }], "There is no key with this ID; keys list shows them all");
      const entry = book.keys.find((key) => key.id === id)!;
      await surroundings.terminal.write(
        options.json ? `${JSON.stringify(keyJson(entry, now))}\n` : `Key ${id} of account ${entry.accountId} is revoked.\n`,
      );
      return EXIT.done;
    });
  },
});
