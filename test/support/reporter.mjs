// A reporter of Node's test runner: names after all others, where somebody reads them, the skipped tests and those that never ended.

/** @param {AsyncIterable<{ type: string, data: { name: string, file?: string, line?: number, skip?: string | boolean } }>} events */
export default async function* skippedAndHanging(events) {
  const skipped = [];
  const running = new Set();
  for await (const { type, data } of events) {
    const id = `${data.file}:${data.line}: ${data.name}`;
    // Node reports a process under the path of its file, which has an end of its own.
    if (type === "test:dequeue" && data.name !== data.file) running.add(id);
    if (type === "test:pass" || type === "test:fail") running.delete(id);
    // `--test-name-pattern` counts as a reason, too, but who gives it knows.
    if (type === "test:pass" && data.skip !== undefined && data.skip !== "test name does not match pattern") skipped.push(`${data.name}${typeof data.skip === "string" && data.skip !== "" ? `: ${data.skip}` : ""}`);
  }
  yield list("SKIPPED", skipped) + list("NOT ENDED", [...running]);
}

function list(title, lines) {
  return lines.length === 0 ? "" : `\n${title}, ${lines.length}:\n${lines.map((line) => `  ${line}\n`).join("")}`;
}
