import { createPrices } from "../../../core/mod.ts";
import { parseBase } from "../../client/client_options.ts";
import { createLineSplitter } from "../../intake/tables/split_lines.ts";
import { readUnits } from "../account_text.ts";
import { defineCommand } from "../command.ts";
import { asUsage, EXIT, wrongUsage } from "../command_failure.ts";
import { MAX_DAYS, type MarketSource } from "../mcp/market_source.ts";
import { createMcp } from "../mcp/protocol.ts";
import { createServerPrices } from "../mcp/server_prices.ts";
import { createUnitAllowance, UNLIMITED } from "../mcp/unit_allowance.ts";
import { textOption } from "../parse_arguments.ts";
import { hasSample } from "../sample.ts";

const KEY_VARIABLE = "MAZANEH_KEY";
const MAX_LINE_BYTES = 1_048_576;

/** `mcp`: answers questions from an assistant. */
export const mcp = defineCommand({
  details: `The assistant starts this program, and talks to it on standard input and output. It reads prices and
changes nothing. Without --url it reads the data directory for each question, also while a server
runs. With --url it asks a server of this API with the key in ${KEY_VARIABLE}. Each request may cost a
unit there: a request that would exceed --units on this day (UTC) is not sent. All processes of a
user share one count per server and key.`,
  settings: ["data", "marketTimeZone"],
  options: {
    url: textOption("URL", "The server to ask, e.g. https://prices.example"),
    units: textOption("COUNT", "Maximum number of units to spend on that server a day, or unlimited [default 20]"),
  },
  async run(context, { options, settings, findEngine, withReader }) {
    const { terminal, environment, clock, version } = context;
    const { url, units } = options;
    if (url === undefined && units !== undefined)
      throw wrongUsage("--units limits the requests to a server: give --url, too");
    const { assets } = settings;
    const codes = assets.map(({ code }) => code);
    const marketFacts = { assets, clock, marketTimeZone: settings.values.marketTimeZone };
    const most = readUnits("--units", units ?? "20");
    const key = environment[KEY_VARIABLE]?.trim() || undefined;
    const baseUrl = url === undefined ? undefined : asUsage("--url", () => parseBase(url));
    const allowance =
      most === null || baseUrl === undefined ? UNLIMITED : createUnitAllowance(most, [baseUrl, key ?? ""], context);
    const { demand } = allowance;
    const serverPrices = baseUrl && asUsage(KEY_VARIABLE, () => createServerPrices({ baseUrl, key }, allowance));
    if (!serverPrices) await findEngine(); // Throws at once if there is no store.

    const answer = createMcp(version, (tool, given, signal) => {
      const answerFrom = (prices: MarketSource["prices"]): Promise<string> =>
        tool.answer({ ...marketFacts, prices, demand, signal }, given);
      if (serverPrices) return answerFrom(serverPrices);
      return withReader(async (reader) => {
        const { observations } = await reader.market();
        const answer = await answerFrom(createPrices<string>({ ...marketFacts, observations, maxDays: MAX_DAYS }));
        const isSample = await hasSample(observations, codes);
        return isSample ? `${answer}\nThese prices, or some of them, are made up (provider SAMPLE)` : answer;
      });
    });
    const splitter = createLineSplitter(MAX_LINE_BYTES);
    let written: Promise<unknown> = Promise.resolve();
    for await (const chunk of terminal.input) {
      for (const line of splitter.push(chunk)) {
        const reply = answer("text" in line ? line.text : "");
        const sent = reply.then((text) => (text === undefined ? undefined : terminal.write(`${text}\n`)));
        written = Promise.all([written, sent]);
        written.catch(() => undefined); // awaited at the end
      }
    }
    await written;
    return EXIT.done;
  },
});
