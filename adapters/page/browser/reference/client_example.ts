// A request as a call of the typed client, for the routes that it has calls for.
import type { Operation } from "./operations.ts";
import type { Entries } from "./request.ts";

type Call = (value: (name: string) => string | undefined) => string | undefined;

/** The calls by operation. A call whose arguments are missing is not shown. */
const CALLS: Readonly<Record<string, Call>> = {
  listLatest: (value) => call("latestOf", listText(value("codes"))),
  listSupported: (value) => call("catalog", objectText({ category: value("category"), quoteUnit: value("quoteUnit") })),
  getLatest: (value) => needed("latest", value("assetName")),
  getOnDate: (value) => needed("on", value("assetName"), value("date")),
  getHistory: (value) => needed("history", value("assetName"), value("from"), value("to")),
  getCandles: (value) => {
    const [code, interval, from, to] = [value("assetCode"), value("interval"), value("from"), value("to")];
    if (code === undefined || interval === undefined || from === undefined || to === undefined) return undefined;
    return call("candles", JSON.stringify(code), objectText({ interval, from, to }));
  },
  getStatus: () => call("status"),
  getAccess: () => call("access"),
};

/** As a module that uses `mazaneh/client`; `undefined` where the client has no such call. `key` as in the other examples. */
export function clientExample({ id, isOwn, keyFields }: Operation, { values }: Entries, { baseUrl, key }: { readonly baseUrl: string; readonly key: string }): string | undefined {
  const made = isOwn || !Object.hasOwn(CALLS, id) ? undefined : CALLS[id]?.((name) => (values[name] ? values[name] : undefined));
  if (made === undefined) return undefined;
  const setting = keyFields.length > 0 ? `, key: ${JSON.stringify(key)}` : "";
  return [
    'import { createClient } from "mazaneh/client";',
    "",
    `const client = createClient({ baseUrl: ${JSON.stringify(baseUrl)}${setting} });`,
    `console.log(await client.${made});`,
  ].join("\n");
}

function call(name: string, ...args: readonly (string | undefined)[]): string {
  return `${name}(${args.filter((arg) => arg !== undefined).join(", ")})`;
}

function needed(name: string, ...args: readonly (string | undefined)[]): string | undefined {
  return args.includes(undefined) ? undefined : call(name, ...args.map((arg) => JSON.stringify(arg)));
}

function listText(list: string | undefined): string | undefined {
  return list === undefined ? undefined : `[${list.split(",").map((code) => JSON.stringify(code.trim())).join(", ")}]`;
}

function objectText(members: Readonly<Record<string, string | undefined>>): string | undefined {
  const given = Object.entries(members).filter(([, value]) => value !== undefined);
  return given.length === 0 ? undefined : `{ ${given.map(([name, value]) => `${name}: ${JSON.stringify(value)}`).join(", ")} }`;
}
