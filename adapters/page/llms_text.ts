import type { TextSources } from "./docs_markdown.ts";
import { markdownCode } from "./markdown.ts";
import { readReference } from "./reference/read_reference.ts";

/**
 * Makes the short text for machines, in the form of https://llmstxt.org: what the API is, its rules, its routes and codes, and
 * where the rest is. GET /llms.txt.
 */
export function llmsText({ settings, document }: TextSources): string {
  const { application, assets, marketTimeZone, quotaTimeZone, maxCandles, documentationUrl } = settings;
  const { operations, baseUrl: base } = readReference(document);
  const before = base === undefined ? "" : `${base}/`; // without it the addresses are relative to that of this text, so right under any mount path
  const routes = operations.map(({ method, path, summary }) => `- ${markdownCode(`${method} ${path}`)}: ${oneLine(summary)}`);
  return `# ${oneLine(application)}

> Prices of ${assets.length} assets over HTTP, as JSON: latest values, values of days, histories and candles.

- The base URL is ${base ?? "the address of this text without `/llms.txt`"}.
- Send the key as \`X-API-Key: KEY\` or \`Authorization: ApiKey KEY\`, never in the URL. The operator gives keys out${documentationUrl === undefined ? "" : `; ${oneLine(documentationUrl)} tells how`}.
- Codes that end in \`_RLS\` have values in Iranian rial; ten rial are a toman, which the API never uses. Codes that end in \`_USD\` have values in US dollars.
- Times are in UTC. Days are Gregorian days of ${marketTimeZone}; a \`1d\` candle is a day of UTC.
- A request for prices costs one unit of the plan's daily units. A quota day begins at midnight in ${quotaTimeZone}. On 429 wait for \`Retry-After\` seconds, and do not try again in a loop.
- The two days of a history lie at most 31 days apart, and an answer holds at most ${maxCandles} candles: ask for more piece by piece.
- Errors are JSON with a \`code\`, and the \`message\` says what would be right.

Routes:

${routes.join("\n")}

Asset codes: ${assets.map(({ code }) => code).join(", ")}

## Documentation

- [Guide and reference](${before}docs.md): all of the documentation as one text: routes, parameters, answers, errors, assets with their names
- [OpenAPI document](${before}openapi.json): OpenAPI 3.1, for generators of clients

## Optional

- [Page for people](${before}docs): prices and charts; [reference](${before}docs/reference) with a form to try each route, [guide](${before}docs/guide)
- [Status](${before}api/v1/status): whether prices are served just now; needs no key
`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
