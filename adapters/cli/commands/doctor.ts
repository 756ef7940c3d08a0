import { parseBase } from "../../client/client_options.ts";
import { defineCommand } from "../command.ts";
import { asUsage, CommandFailure, EXIT, wrongUsage } from "../command_failure.ts";
import { type CheckResult, wrong } from "../doctor/check.ts";
import { CHECKS } from "../doctor/http_checks.ts";
import { createProbe, jsonOf } from "../doctor/http_probe.ts";
import { demandOperands, textOption } from "../parse_arguments.ts";

const MARKS = { right: "right", wrong: "WRONG", unknown: "-" };

/** `doctor`: checks a deployed server from outside. */
export const doctor = defineCommand({
  details: `Sends requests as a client does, and reports faults of a proxy or a setting, with advice. It checks
TLS, clock, keys, error bodies, quota fields, ETag, caches, compression, CORS, page and feed. The key
is read from MAZANEH_KEY, or from --key, which other users of this machine can see. Checks with the
key cost at most four units. The exit code is 0 if nothing is wrong, 65 if something is, and 75 if no
server of this API answers.`,
  settings: [],
  options: { key: textOption("KEY", "The key for the requests [MAZANEH_KEY]") },
  async run({ environment, clock }, { options, operands }) {
    const { URL: text } = demandOperands(operands, "URL");
    const base = asUsage("URL", () => parseBase(text));
    const key = (options.key ?? environment["MAZANEH_KEY"])?.trim() || undefined;
    if (key !== undefined && !/^[!-~]+$/.test(key)) throw wrongUsage("The key must be printable ASCII without blanks");
    const ask = createProbe(base);
    const status = await ask("/api/v1/status").catch((error: unknown) => {
      throw new CommandFailure(`${base} does not answer: ${messageFrom(error)}`, EXIT.notReady);
    });
    if (jsonOf(status)?.["apiVersion"] !== "v1") {
      throw new CommandFailure(
        `${base}/api/v1/status answers with ${status.status}, and is not a server of this API; URL is the part before /api/v1`,
        EXIT.notReady,
      );
    }

    const server = { ask, url: new URL(base), key, now: clock };
    const findings: (CheckResult & { readonly name: string })[] = [];
    for (const [name, check] of Object.entries(CHECKS)) {
      const finding = await check(server).catch((error: unknown) =>
        wrong(`no answer: ${messageFrom(error)}`, "Find out what closes the connection"),
      );
      findings.push({ name, ...finding });
    }
    const lines = findings.map(
      ({ name, is, found, todo }) =>
        `${MARKS[is].padEnd(6)} ${name}: ${found}${todo === undefined ? "" : `\n       ${todo}`}`,
    );
    const wrongs = findings.filter(({ is }) => is === "wrong").length;
    return {
      json: { url: base, wrong: wrongs, findings },
      text: `${lines.join("\n")}\n${wrongs === 0 ? "Nothing is wrong." : `${wrongs} of ${findings.length} checks found a fault.`}\n`,
      exitCode: wrongs === 0 ? EXIT.done : EXIT.data,
    };
  },
});

/** The message without the advice that `messageOf` adds, which is meant for the operator of a server. */
function messageFrom(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
