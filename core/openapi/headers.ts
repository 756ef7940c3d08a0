/** The description and an example of each header field. A field whose example is a number has whole numbers. */
const FIELDS = {
  "X-Request-Id": ["Identifies this request in logs", "req_0000000000000000000000"],
  "X-Notice": [
    "A hint about an unexpected answer, e.g. that the requested days may be from another calendar",
    "The parameter `code` is ignored. To select assets, use `codes`",
  ],
  ETag: ["The state of the data; send it as If-None-Match to get 304 until the data changes", '"5f2b.1a"'],
  Link: [
    "For a day without a record: a link to the last earlier day with a record, relative to the path of the request",
    '<./2026-11-19>; rel="prev"',
  ],
  "WWW-Authenticate": ["How to send a key", "ApiKey"],
  "Retry-After": ["Seconds after which to try again", 3_600],
  "RateLimit-Policy": [
    "The plan's units a day, and the length of the day in seconds; absent without a limit",
    '"daily";q=50;w=86400',
  ],
  RateLimit: ["Remaining units, and seconds until the next quota day", '"daily";r=49;t=3600'],
  "X-RateLimit-Limit": ["The plan's units a day", 50],
  "X-RateLimit-Remaining": ["Units that are left", 49],
  "X-RateLimit-Reset": ["When the next quota day begins, in seconds since 1970", 1_795_219_200],
} as const;

/** The names of the header fields that report a caller's quota. */
export const QUOTA_FIELDS: readonly string[] = Object.keys(FIELDS).filter((name) => name.includes("RateLimit"));

/** The header fields of the document, by name. */
export function headerComponents(): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(FIELDS).map(([name, [description, example]]) => {
      const schema = typeof example === "number" ? { type: "integer", minimum: 0 } : { type: "string" };
      return [name, { description, schema, example }];
    }),
  );
}

/** References to header fields, by name. */
export function headerRefs(names: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
