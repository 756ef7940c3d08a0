import { ACCOUNT_STATUSES } from "../../../core/mod.ts";
import type { AccountId } from "../../../core/mod.ts";
import { demandOperands } from "../args.ts";
import { findAccount } from "../book.ts";
import { defineCommand } from "../command.ts";
import { changeBook, withDesk } from "../desk.ts";
import { EXIT, wrongUsage } from "../failure.ts";
import { settingOptions } from "../settings_sources.ts";

/** `accounts set`: another plan or status for an account. */
export const accountsSet = defineCommand({
  name: "accounts set",
  operands: "ACCOUNT",
  summary: "Give an account another plan or status, from its next request on",
  options: {
    plan: { kind: "text", placeholder: "NAME", summary: "One of the plans that plans list shows" },
    status: { kind: "text", placeholder: "STATUS", summary: `${ACCOUNT_STATUSES.join(", ")}; the latter two are refused with 403` },
    ...settingOptions(["data"]),
  },
  async run(surroundings, { options, operands }) {
    const { ACCOUNT } = demandOperands(operands, "ACCOUNT");
    if (options.plan === undefined && options.status === undefined) throw wrongUsage("--plan or --status is missing");
    const status = ACCOUNT_STATUSES.find((known) => known === options.status);
    if (options.status !== undefined && status === undefined) {
      throw wrongUsage(`--status must be one of ${ACCOUNT_STATUSES.join(", ")}: received "${options.status}"`);
    }
    return withDesk(options, surroundings, "there", async (desk) => {
      const patch = { ...(options.plan !== undefined && { plan: options.plan }), ...(status !== undefined && { status }) };
      const account = findAccount(await changeBook(desk, [{ op: "account.patch", id: ACCOUNT as AccountId, ...patch }]), ACCOUNT);
      await surroundings.terminal.write(
        options.json
          ? `${JSON.stringify({ account: account.id, plan: account.plan, status: account.status })}\n`
          : `Account ${account.id} has the plan ${account.plan} and is ${account.status}.\n`,
      );
      return EXIT.done;
    });
  },
});
