import { dateOfDayNumber, REQUEST_DAYS } from "../../../core/internal.ts";
import { GOLD_PIECES, goldWorth, INTERVALS } from "../../../core/mod.ts";
import { pricesText } from "../market/get_report.ts";
import type { AssistantMarket } from "./market_source.ts";

/** The arguments of a question. `PARAMETERS` has their names. */
export type ToolArguments = Readonly<Record<Parameter, string>>;
type Parameter = "asset" | "assets" | "days" | "from" | "to" | "interval";

/** A tool: its description for the assistant, and its answer. */
export interface Tool {
  readonly description: string;
  readonly parameters: readonly Parameter[];
  answer(market: AssistantMarket, given: ToolArguments): Promise<string>;
}

const NAME = "a code or a name in English, Persian or Finglish: USD_RLS, dollar, دلار, sekke emami";
const DAY = "Gregorian 2026-08-21, Jalali 1405/05/30, or today";
/** The maximum number of lines in an answer: assistants make mistakes with longer lists. */
const LINES = 40;

/** The JSON Schemas of the parameters. All parameters are texts. */
export const PARAMETERS: Readonly<Record<Parameter, object>> = {
  asset: { description: NAME },
  assets: { description: `${NAME}; several with commas between them` },
  days: { description: `${DAY}; several with commas between them` },
  from: { description: DAY },
  to: { description: DAY },
  interval: { enum: [...INTERVALS.keys()] },
};

export const TOOLS: Readonly<Record<string, Tool>> = {
  find_asset: {
    description: "The codes of the assets that a name may mean. Costs no unit.",
    parameters: ["asset"],
    answer: async (market, { asset }) => market.assetsNamed(asset).map(market.words.asset).join("\n"),
  },
  latest_price: {
    description: "The latest price of one or several assets. Costs 1 unit.",
    parameters: ["assets"],
    async answer(market, { assets }) {
      const asked = listOf(assets).map(market.assetNamed);
      const found = await market.latestOf(asked);
      return asked.map((asset) => market.words.price(asset, found.get(asset.code))).join("\n");
    },
  },
  price_on_days: {
    description:
      "The last price of an asset on each of one or several days; for a day without a price, the last price before that day. Also the change from the first to the last of these days; for a single day, the change since the previous price. Costs 1 unit a day.",
    parameters: ["asset", "days"],
    async answer(market, { days, ...given }) {
      const asset = market.assetNamed(given.asset);
      const records = await market.pricesOn(asset, listOf(days));
      const last = records.at(-1)!;
      const from = records.length > 1 ? records[0] : last.previous;
      const change = from ? [market.words.change(asset, from.value, last.value)] : [];
      return [...records.map((record) => market.words.price(asset, record)), ...change].join("\n");
    },
  },
  price_history: {
    description: `The last price of each day in a range of any length; if more than ${LINES} days have a price, only evenly spaced days are listed. Costs 1 unit for each ${REQUEST_DAYS} days.`,
    parameters: ["asset", "from", "to"],
    async answer(market, given) {
      const asset = market.assetNamed(given.asset);
      const days = market.daysFrom(given.from, given.to);
      const values = await market.historyOf(asset, days);
      const absence = `No record from ${days.map((day) => market.words.day(dateOfDayNumber(day))).join(" to ")}`;
      const step = Math.ceil(values.length / LINES);
      const chosen = values.filter((_, at) => (values.length - 1 - at) % step === 0);
      return (
        pricesText({ kind: "history", values: chosen, absence }, market.viewOf(asset)) +
        market.words.sum(asset, values, chosen.length)
      );
    },
  },
  candles: {
    description: `Candles (open, high, low and close) of the intervals that start in a range of days in UTC; at most the last ${LINES}. Costs 1 unit for each 10,000 intervals.`,
    parameters: ["asset", "interval", "from", "to"],
    async answer(market, { interval, ...given }) {
      const asset = market.assetNamed(given.asset);
      const all = await market.candlesOf(asset, interval, market.daysFrom(given.from, given.to));
      const candles = all.slice(-LINES);
      return (
        pricesText({ kind: "candles", interval, candles }, market.viewOf(asset)) +
        market.words.extremes(asset, all, LINES)
      );
    },
  },
  gold_and_coins: {
    description:
      "The value of the gold in each coin, gram and mesghal, by the prices of the ounce and the dollar, and the bubble that is paid above this value. Costs 1 unit.",
    parameters: [],
    async answer({ assets, latestOf, words }) {
      const pieces = new Map(GOLD_PIECES.map((piece) => [piece.code, piece]));
      const wanted = assets.filter(({ code }) => code === "GOLD_OUNCE_USD" || code === "USD_RLS" || pieces.has(code));
      const found = await latestOf(wanted);
      const [ounce, dollar] = ["GOLD_OUNCE_USD", "USD_RLS"].map((code) => found.get(code)?.value);
      const lines = wanted.map((asset) => {
        const [piece, record] = [pieces.get(asset.code), found.get(asset.code)];
        const line = words.price(asset, record);
        if (!piece || !record || !ounce || !dollar) return line;
        return line + words.gold(asset, goldWorth(piece, record.value, { ounce, dollar }));
      });
      return lines.join("\n");
    },
  },
};

function listOf(text: string): readonly string[] {
  return text.split(/[,،]/).map((one) => one.trim());
}
