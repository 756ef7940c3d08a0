import { DAY_MS, dateOfDayNumber, lastUpTo, REQUEST_DAYS } from "../../../core/internal.ts";
import { GOLD_PIECES, goldWorth, INTERVALS, type Interval, type ValueWithChange } from "../../../core/mod.ts";
import { createAssetNames } from "../../intake/names/find_asset.ts";
import { wrongUsage } from "../command_failure.ts";
import { assetNamed, assetOf } from "../market/find_asset_code.ts";
import { pricesText } from "../market/get_report.ts";
import { dayNamed, daysNamed, latestOf, type MarketSource } from "./market_source.ts";
import { createWords } from "./price_sentences.ts";

/** The arguments of a question. `PARAMETERS` has their names. */
export type ToolArguments = Readonly<Record<Parameter, string>>;
type Parameter = "asset" | "assets" | "days" | "from" | "to" | "interval";

/** A tool: its description for the assistant, and its answer. */
export interface Tool {
  readonly description: string;
  readonly parameters: readonly Parameter[];
  answer(source: MarketSource, given: ToolArguments): Promise<string>;
}

const NAME = "a code or a name in English, Persian or Finglish: USD_RLS, dollar, دلار, sekke emami";
const DAY = "Gregorian 2026-08-21, Jalali 1405/05/30, or today";
/** The maximum number of lines in an answer: assistants make mistakes with longer lists. */
const LINES = 40;
/** The maximum number of candles in one request of the client. */
const CALL_CANDLES = 10_000;

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
    async answer(source, { asset: name }) {
      const { codes, per } = createAssetNames(source.assets).find(name);
      const found = per === 1 ? source.assets.filter(({ code }) => codes.includes(code)) : [];
      const assets = found.length > 0 ? found : [assetOf(name, source.assets)];
      return assets.map(createWords(source).asset).join("\n");
    },
  },
  latest_price: {
    description: "The latest price of one or several assets. Costs 1 unit.",
    parameters: ["assets"],
    async answer(source, { assets }) {
      const words = createWords(source);
      const asked = listOf(assets).map((name) => assetNamed(name, source.assets));
      const found = await latestOf(asked, source);
      return asked.map((asset) => words.price(asset, found.get(asset.code))).join("\n");
    },
  },
  price_on_days: {
    description:
      "The last price of an asset on each of one or several days; for a day without a price, the last price before that day. Also the change from the first to the last of these days; for a single day, the change since the previous price. Costs 1 unit a day.",
    parameters: ["asset", "days"],
    async answer(source, { asset: name, days }) {
      const { prices, demand, signal } = source;
      const words = createWords(source);
      const asset = assetNamed(name, source.assets);
      const dates = listOf(days).map((day) => dayNamed(day, source));
      await demand(dates.length);
      const records: ValueWithChange<string>[] = [];
      for (const date of dates) {
        signal.throwIfAborted();
        // Searches back only as many days as one request covers.
        const record = await lastUpTo(date, (from, to) => prices.history(asset.code, from, to, { signal }));
        if (!record)
          throw wrongUsage(`${asset.code} has no record in the ${REQUEST_DAYS} days up to ${words.day(date)}`);
        records.push(record);
      }
      const last = records.at(-1)!;
      const from = records.length > 1 ? records[0] : last.previous;
      const change = from ? [words.change(asset, from.value, last.value)] : [];
      return [...records.map((record) => words.price(asset, record)), ...change].join("\n");
    },
  },
  price_history: {
    description: `The last price of each day in a range of any length; if more than ${LINES} days have a price, only evenly spaced days are listed. Costs 1 unit for each ${REQUEST_DAYS} days.`,
    parameters: ["asset", "from", "to"],
    async answer(source, { asset: name, ...range }) {
      const words = createWords(source);
      const asset = assetNamed(name, source.assets);
      const [first, last] = daysNamed(range, source);
      await source.demand(Math.ceil((last - first + 1) / REQUEST_DAYS));
      const [from, to] = [dateOfDayNumber(first), dateOfDayNumber(last)];
      const values = await source.prices.history(asset.code, from, to, { signal: source.signal });
      const absence = `No record from ${words.day(from)} to ${words.day(to)}`;
      const step = Math.ceil(values.length / LINES);
      const chosen = values.filter((_, at) => (values.length - 1 - at) % step === 0);
      const text = pricesText({ kind: "history", values: chosen, absence }, { ...source, asset });
      return text + words.sum(asset, values, chosen.length);
    },
  },
  candles: {
    description: `Candles (open, high, low and close) of the intervals that start in a range of days in UTC; at most the last ${LINES}. Costs 1 unit for each 10,000 intervals.`,
    parameters: ["asset", "interval", "from", "to"],
    async answer(source, { asset: name, interval, ...range }) {
      const { prices, demand, signal } = source;
      const asset = assetNamed(name, source.assets);
      const [first, last] = daysNamed(range, source);
      const width = INTERVALS.get(interval) ?? DAY_MS;
      await demand(Math.ceil(((last - first + 1) * DAY_MS) / width / CALL_CANDLES));
      const [from, to] = [new Date(first * DAY_MS), new Date((last + 1) * DAY_MS)];
      const all = await prices.candles(asset.code, { interval: interval as Interval, from, to }, { signal });
      const text = pricesText({ kind: "candles", interval, candles: all.slice(-LINES) }, { ...source, asset });
      return text + createWords(source).extremes(asset, all, LINES);
    },
  },
  gold_and_coins: {
    description:
      "The value of the gold in each coin, gram and mesghal, by the prices of the ounce and the dollar, and the bubble that is paid above this value. Costs 1 unit.",
    parameters: [],
    async answer(source) {
      const words = createWords(source);
      const pieces = new Map(GOLD_PIECES.map((piece) => [piece.code, piece]));
      const wanted = source.assets.filter(
        ({ code }) => code === "GOLD_OUNCE_USD" || code === "USD_RLS" || pieces.has(code),
      );
      const found = await latestOf(wanted, source);
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
