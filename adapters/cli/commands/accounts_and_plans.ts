import { ACCOUNT_STATUSES, type AccountId } from "../../../core/mod.ts";
import { demandNoKey, keyState, planInWords, readUnits } from "../account_text.ts";
import { defineCommand, INIT_OPTION } from "../command.ts";
import { wrongUsage } from "../command_failure.ts";
import { demandOperands, readChoice, textOption } from "../parse_arguments.ts";
import { table } from "../text_table.ts";

/** `accounts list`: lists all accounts. */
export const accountsList = defineCommand({
  async run(context, { withReader }) {
    const { accounts, keys } = await withReader(async (reader) => reader.book());
    const now = context.clock();
    const listed = accounts.map(({ id, plan, status }) => {
      const liveKeys = keys.filter((key) => key.accountId === id && keyState(key, now) === "live").length;
      return { account: id, plan, status, liveKeys };
    });
    const rows = listed.map(({ account, plan, status, liveKeys }) => [account, plan, status, liveKeys]);
    return {
      json: { accounts: listed },
      text: table(["account", "plan", "status", "live keys"], rows, "There are no accounts."),
    };
  },
});

/** `accounts set`: changes the plan or the status of an account. */
export const accountsSet = defineCommand({
  options: {
    plan: textOption("NAME", "Name of a plan from mazaneh plans list"),
    status: textOption("STATUS", `${ACCOUNT_STATUSES.join(", ")}; the latter two are answered with 403`),
  },
  async run(_, { options, operands, withAccounts }) {
    const { ACCOUNT } = demandOperands(operands, "ACCOUNT");
    const { plan } = options;
    if (plan === undefined && options.status === undefined) throw wrongUsage("--plan or --status is missing");
    const status = options.status === undefined ? undefined : readChoice("--status", options.status, ACCOUNT_STATUSES);
    const patch = { ...(plan !== undefined && { plan }), ...(status !== undefined && { status }) };
    const { accounts } = await withAccounts(({ update }) => {
      return update([{ op: "account.patch", id: ACCOUNT as AccountId, ...patch }]); // `update` checks the name.
    });
    const account = accounts.find(({ id }) => id === ACCOUNT)!;
    return {
      json: { account: account.id, plan: account.plan, status: account.status },
      text: `Account ${account.id} has the plan ${account.plan} and is ${account.status}.\n`,
    };
  },
});

/** `plans list`: lists all plans. */
export const plansList = defineCommand({
  async run(_, { withReader }) {
    const { plans } = await withReader(async (reader) => reader.book());
    const rows = plans.map(({ name, dailyUnits, attributionRequired }) => {
      return [name, dailyUnits ?? "unlimited", attributionRequired ? "yes" : "no"];
    });
    return { json: { plans }, text: table(["plan", "daily units", "attribution"], rows, "There are no plans.") };
  },
});

/** `plans set`: makes a plan, or changes one. */
export const plansSet = defineCommand({
  details: "A new plan needs both options. To assign it, use mazaneh accounts set or mazaneh keys create.",
  options: {
    "daily-units": textOption("COUNT", "Units a day: a whole number from 1, or unlimited"),
    attribution: textOption("yes|no", "Whether accounts with this plan must credit the data source"),
    ...INIT_OPTION,
  },
  async run(_, { options, operands, withAccounts }) {
    const { NAME } = demandOperands(operands, "NAME");
    demandNoKey("NAME", NAME);
    const { "daily-units": units, attribution } = options;
    if (units === undefined && attribution === undefined) throw wrongUsage("--daily-units or --attribution is missing");
    const patch = {
      ...(units !== undefined && { dailyUnits: readUnits("--daily-units", units) }),
      ...(attribution !== undefined && {
        attributionRequired: readChoice("--attribution", attribution, ["yes", "no"]) === "yes",
      }),
    };
    const { plans } = await withAccounts(({ update }) => update([{ op: "plan.patch", name: NAME, ...patch }]));
    const plan = plans.find(({ name }) => name === NAME)!;
    const credit = plan.attributionRequired ? "attribution required" : "no attribution required";
    return { json: plan, text: `Saved the ${planInWords(plan)}, ${credit}.\n` };
  },
});
