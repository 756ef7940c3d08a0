import { createPrices, type UtcClock } from "../../../core/mod.ts";
import { createClient } from "../../client/mod.ts";
import { createLineSplitter } from "../../intake/tables/split_lines.ts";
import { readUnits } from "../account_text.ts";
import { defineCommand } from "../command.ts";
import { asUsage, EXIT, wrongUsage } from "../command_failure.ts";
import { createAssistantMarket, type MarketSource } from "../mcp/market_source.ts";
import { createMcp } from "../mcp/protocol.ts";
import { hasSample } from "../sample.ts";
import { settingOptions, settingsInForce } from "../settings_sources.ts";
import { engineFor, withReader } from "../with_store.ts";

const KEY_VARIABLE = "MAZANEH_KEY";
/** Far longer than any question. */
const MAX_LINE_BYTES = 1_048_576;

/** `mcp`: answers the questions of an assistant. */
export const mcp = defineCommand({
  name: "mcp",
  operands: "",
  summary: "Answer questions of an assistant, by Model Context Protocol",
  details: `An assistant starts this program itself, and speaks with it on standard input and output. It
reads prices and changes nothing. Without --url it reads the data directory, anew for each question,
also while a server runs. With --url it asks a server of this API with the key in ${KEY_VARIABLE}. Each
request may cost a unit there: a question that would exceed --units on this day (UTC) is declined.`,
  options: {
    url: { kind: "text", placeholder: "URL", summary: "The server to ask, e.g. https://prices.example" },
    units: {
      kind: "text",
      placeholder: "COUNT",
      summary: "Most units that the questions of a day may cost there, or unlimited; default 20",
    },
    ...settingOptions(["data", "marketTimeZone"]),
  },
  async run(context, { options }) {
    const { terminal, environment, clock, version } = context;
    const { url, units } = options;
    if (url === undefined && units !== undefined)
      throw wrongUsage("--units bounds what a server is asked: give --url, too");
    const settings = await settingsInForce(options, environment);
    const { assets } = settings;
    const marketFacts = { assets, clock, marketTimeZone: settings.values.marketTimeZone };
    const spend = allowance(readUnits("--units", units ?? "20"), clock);
    // Sends no request twice, as each may cost a unit.
    const clientOf = (baseUrl: string) =>
      createClient<string>({ baseUrl, key: environment[KEY_VARIABLE]?.trim() || undefined, retries: 0 });
    const prices = url === undefined ? undefined : asUsage(`--url or ${KEY_VARIABLE}`, () => clientOf(url));
    const market = prices && createAssistantMarket({ ...marketFacts, prices, spend });
    if (market === undefined) await engineFor({ options, context, settings }); // a store that is not there is refused at once

    const answer = createMcp(version, (tool, given) => {
      if (market) return tool.answer(market, given);
      return withReader({ options, context, settings }, async (reader) => {
        const { observations } = await reader.market();
        const answer = await tool.answer(
          createAssistantMarket({
            ...marketFacts,
            prices: createPrices<string>({ ...marketFacts, observations }),
            spend: () => undefined,
          }),
          given,
        );
        return (await hasSample(
          observations,
          assets.map(({ code }) => code),
        ))
          ? `${answer}\nThese prices, or some of them, are made up (provider SAMPLE)`
          : answer;
      });
    });
    const splitter = createLineSplitter(MAX_LINE_BYTES);
    for await (const chunk of terminal.input) {
      for (const line of splitter.push(chunk)) {
        const reply = await answer("text" in line ? line.text : "");
        if (reply !== undefined) await terminal.write(`${reply}\n`);
      }
    }
    return EXIT.done;
  },
});

/** Counts the requests of each day. */
function allowance(units: number | null, clock: UtcClock): MarketSource["spend"] {
  let [today, spent] = ["", 0];
  return (requests) => {
    const day = new Date(clock()).toISOString().slice(0, 10);
    if (day !== today) [today, spent] = [day, 0];
    if (units !== null && spent + requests > units)
      throw wrongUsage(
        `This would cost ${requests} units; of the ${units} that --units allows a day, ${units - spent} are left`,
      );
    spent += requests;
  };
}
