export type JsonMembers = Readonly<Record<string, unknown>>;

/** A service's name for the time of a quote, and the import format's names for what else it says. */
interface ServiceRows {
  readonly service: string;
  readonly rows: readonly JsonMembers[];
}

const CURRENCY = /^[a-z]{3,4}$/;
/** What CoinGecko's prices have beside those in currencies. */
const OF_COINGECKO = /^(?:last_updated_at|\w+_(?:market_cap|24h_vol|24h_change))$/;
const RIAL = ["IRR", "IRT", "TMN"];

/**
 * The rows of an object that a known service writes; `undefined` for any other.
 *
 * @param key The name of the object in that which holds it.
 */
export function rowsOfService(object: JsonMembers, key?: string): ServiceRows | undefined {
  const { symbol, quote, lastPrice, openTime, closeTime, p, ts, value, timestamp, base, rates } = object;
  if (isFields(quote) && Object.values(quote).every((one) => isFields(one) && "price" in one)) {
    const rows = Object.entries(quote).map(([unit, one]) =>
      isFields(one) ? { code: symbol ?? key, unit, value: one["price"], businessTime: one["last_updated"] } : {},
    );
    return { service: "CoinMarketCap", rows };
  }
  if (lastPrice !== undefined && openTime !== undefined && closeTime !== undefined) {
    return { service: "Binance", rows: [{ code: symbol, value: lastPrice, businessTime: closeTime }] };
  }
  if (isFields(rates) && typeof base === "string") {
    const rows = RIAL.filter((unit) => unit in rates).map((unit) => ({
      code: base,
      unit,
      value: rates[unit],
      businessTime: timestamp ?? object["date"],
    }));
    return rows.length > 0 ? { service: "exchange rates", rows } : undefined;
  }
  if (key === undefined) return undefined;
  if (p !== undefined && ts !== undefined)
    return {
      service: "tgju",
      rows: [{ code: key, businessTime: ts, value: typeof p === "string" ? p.replaceAll(",", "") : p }],
    };
  if (value !== undefined && timestamp !== undefined)
    return { service: "navasan", rows: [{ code: key, value, businessTime: timestamp }] };
  const [prices, others] = [true, false].map((isPrice) =>
    Object.entries(object).filter(([name, one]) => (CURRENCY.test(name) && typeof one === "number") === isPrice),
  );
  if (prices!.length === 0 || !("last_updated_at" in object) || !others!.every(([name]) => OF_COINGECKO.test(name)))
    return undefined;
  return {
    service: "CoinGecko",
    rows: prices!.map(([unit, price]) => ({ code: key, unit, value: price, businessTime: object["last_updated_at"] })),
  };
}

/** The rows of objects that are all of one service, by their names or in lists. */
export function rowsOfServices(
  members: readonly (readonly [name: string | undefined, member: unknown])[],
): ServiceRows | undefined {
  const found: ServiceRows[] = [];
  for (const [name, member] of members) {
    for (const one of Array.isArray(member) ? member : [member]) {
      const next = isFields(one) ? rowsOfService(one, name) : undefined;
      if (!next || next.service !== (found[0] ?? next).service) return undefined;
      found.push(next);
    }
  }
  return found[0] && { service: found[0].service, rows: found.flatMap(({ rows }) => rows) };
}

/** Whether a value is a JSON object. */
export function isFields(value: unknown): value is JsonMembers {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
