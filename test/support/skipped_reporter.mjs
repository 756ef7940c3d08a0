// A reporter of Node's test runner: names the skipped tests after all others, where somebody reads them.

/** @param {AsyncIterable<{ type: string, data: { name?: string, skip?: string | boolean } }>} events */
export default async function* skipped(events) {
  const lines = [];
  for await (const { type, data } of events) {
    // `--test-name-pattern` counts as a reason, too, but who gives it knows.
    if (type === "test:pass" && data.skip !== undefined && data.skip !== "test name does not match pattern") lines.push(`  ${data.name}${typeof data.skip === "string" && data.skip !== "" ? `: ${data.skip}` : ""}\n`);
  }
  if (lines.length > 0) yield `\nSKIPPED, ${lines.length}:\n${lines.join("")}`;
}
