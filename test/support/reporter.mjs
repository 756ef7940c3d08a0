// A reporter for Node's test runner that lists skipped and hanging tests at the end, where they are noticed.

/** @param {AsyncIterable<{ type: string, data: { name: string, file?: string, line?: number, skip?: string | boolean } }>} events */
export default async function* skippedAndHanging(events) {
  const skipped = [];
  const running = new Set();
  for await (const { type, data } of events) {
    const id = `${data.file}:${data.line}: ${data.name}`;
    // Node also reports each process as a test, under the path of its file.
    if (type === "test:dequeue" && !data.file?.endsWith(data.name)) running.add(id);
    if (type === "test:pass" || type === "test:fail") running.delete(id);
    // Tests that do not match `--test-name-pattern` are skipped on purpose.
    if (type === "test:pass" && data.skip !== undefined && data.skip !== "test name does not match pattern")
      skipped.push(`${data.name}${typeof data.skip === "string" && data.skip !== "" ? `: ${data.skip}` : ""}`);
  }
  yield list("SKIPPED", skipped) + list("NOT ENDED", [...running]);
}

function list(title, lines) {
  return lines.length === 0 ? "" : `\n${title}, ${lines.length}:\n${lines.map((line) => `  ${line}\n`).join("")}`;
}
