// A reporter of Node's test runner: names the skipped tests after all others, where somebody reads them.

/** @param {AsyncIterable<{ type: string, data: { name?: string, skip?: string | boolean } }>} events */
export default async function* skipped(events) {
  const lines = [];
  for await (const { type, data } of events) {
    if (type === "test:pass" && data.skip !== undefined) lines.push(`  ${data.name}${typeof data.skip === "string" && data.skip !== "" ? `: ${data.skip}` : ""}\n`);
  }
  if (lines.length > 0) yield `\nSKIPPED, ${lines.length}:\n${lines.join("")}`;
}
