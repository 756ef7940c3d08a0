import { createPrices, INTERVALS, PriceError } from "../../../core/mod.ts";
import { defineCommand } from "../command.ts";
import { CommandFailure, EXIT, wrongUsage } from "../command_failure.ts";
import { assetNamed } from "../market/find_asset_code.ts";
import { findPrices } from "../market/find_prices.ts";
import { pricesCsv, pricesJson, pricesText } from "../market/get_report.ts";
import { demandOperands, readChoice, switchOption, textOption } from "../parse_arguments.ts";
import { hasSample } from "../sample.ts";
import { demandGregorian } from "../time_bounds.ts";

/** No answer reaches these limits in practice. Only a server needs lower limits, to protect itself. */
const LIMITS = { maxCandles: 1_000_000, maxDays: 1_000_000 };
const NOT_FOUND = 404;

/** `get`: prints prices of one asset. */
export const get = defineCommand({
  details: `Asks a running server, or reads the files; needs no key and costs no unit. Without an option, it
prints the latest value. CODE may be a name such as دلار or BTC-USD. DAY is a day of the market's
time zone, YYYY-MM-DD; with --candles it may also be a time in UTC, e.g. 2026-01-31T12:00:00Z. A
range may have any length. Without --from, it begins 30 days before its end, and without --to, it
ends with the latest record.`,
  settings: ["data", "marketTimeZone"],
  options: {
    day: textOption("DAY", "The last value of this day; with --candles, the candles of this day"),
    from: textOption("DAY", "The last value of each day, from this day on"),
    to: textOption("DAY", "The last value of each day, up to and including this day"),
    candles: textOption("INTERVAL", "Candles of 15m, 1h, 4h or 1d; without a range, the latest 24"),
    csv: switchOption("Print CSV"),
  },
  async run(context, { options, operands, settings, withReader }) {
    const { terminal, clock } = context;
    const { CODE } = demandOperands(operands, "CODE");
    const { day, from, to } = options;
    if (day !== undefined && (from !== undefined || to !== undefined))
      throw wrongUsage("--day is one day: leave --from and --to out");
    demandGregorian({ from, to });
    if (options.csv && options.json) throw wrongUsage("--csv and --json exclude each other");
    const candles =
      options.candles === undefined ? undefined : readChoice("--candles", options.candles, [...INTERVALS.keys()]);
    const { assets } = settings;
    const { marketTimeZone } = settings.values;
    const asset = assetNamed(CODE, assets);
    const prices = await withReader(async (reader) => {
      const { observations, damages } = await reader.market();
      const prices = createPrices<string>({ clock, observations, assets, marketTimeZone, ...LIMITS });
      const asked = { code: asset.code, day, from, to, candles };
      const found = await findPrices(prices, asked, marketTimeZone).catch((error: unknown) => {
        if (!(error instanceof PriceError)) throw error;
        throw new CommandFailure(error.message, error.status === NOT_FOUND ? EXIT.data : EXIT.usage);
      });
      if (damages.length > 0) terminal.note(`Unreadable places in the records: ${damages.length}; see mazaneh verify`);
      if (await hasSample(observations, [asset.code]))
        terminal.note("These prices, or some of them, are made up (provider SAMPLE)");
      return found;
    });
    if (options.csv) await terminal.writeData(pricesCsv(prices));
    else if (options.json) await terminal.writeData(pricesJson(prices));
    else await terminal.writeData(pricesText(prices, { asset, marketTimeZone, columns: terminal.columns }));
    return EXIT.done;
  },
});
