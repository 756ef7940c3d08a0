export type JsonMembers = Readonly<Record<string, unknown>>;
/** The rows of a service, under the names of the import format. */
type ServiceRows = { readonly service: string; readonly rows: readonly JsonMembers[] };

const CURRENCY = /^[a-z]{3,4}$/;
const OF_COINGECKO = /^(?:last_updated_at|\w+_(?:market_cap|24h_vol|24h_change))$/;
const RIAL = ["IRR", "IRT", "TMN"];

/** The rows of an object from a known service; `undefined` for others. `key` is the object's name in its parent. */
export function rowsOfService(object: JsonMembers, key?: string): ServiceRows | undefined {
  const { symbol, quote, lastPrice, openTime, closeTime, p, ts, value, timestamp, base, rates } = object;
  if (isFields(quote) && Object.values(quote).every((one) => isFields(one) && "price" in one)) {
    const rows = Object.entries(quote).map(([unit, one]) =>
      isFields(one) ? { code: symbol ?? key, unit, value: one["price"], businessTime: one["last_updated"] } : {},
    );
    return { service: "CoinMarketCap", rows };
  }
  if (lastPrice !== undefined && openTime !== undefined && closeTime !== undefined)
    return { service: "Binance", rows: [{ code: symbol, value: lastPrice, businessTime: closeTime }] };
  if (isFields(rates) && typeof base === "string") {
    const businessTime = timestamp ?? object["date"];
    const units = RIAL.filter((unit) => unit in rates);
    const rows = units.map((unit) => ({ code: base, unit, value: rates[unit], businessTime }));
    return rows.length > 0 ? { service: "exchange rates", rows } : undefined;
  }
  if (key === undefined) return undefined;
  if (p !== undefined && ts !== undefined)
    return { service: "tgju", rows: [{ code: key, businessTime: ts, value: withoutCommas(p) }] };
  if (value !== undefined && timestamp !== undefined)
    return { service: "navasan", rows: [{ code: key, value, businessTime: timestamp }] };
  const businessTime = object["last_updated_at"];
  const members = Object.entries(object);
  const isPrice = (name: string, one: unknown): boolean => CURRENCY.test(name) && typeof one === "number";
  const prices = members.filter(([name, one]) => isPrice(name, one));
  const isKnown = members.every(([name, one]) => isPrice(name, one) || OF_COINGECKO.test(name));
  if (prices.length === 0 || businessTime === undefined || !isKnown) return undefined;
  return {
    service: "CoinGecko",
    rows: prices.map(([unit, value]) => ({ code: key, unit, value, businessTime })),
  };
}

/** Removes the commas from a text; returns any other value unchanged. */
export function withoutCommas(value: unknown): unknown {
  return typeof value === "string" ? value.replaceAll(",", "") : value;
}

/** The rows of objects or lists of objects, if all come from one service. */
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

/** Whether a value is a JSON object or array. */
export function isHolder(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Whether a value is a JSON object. */
export function isFields(value: unknown): value is JsonMembers {
  return isHolder(value) && !Array.isArray(value);
}
