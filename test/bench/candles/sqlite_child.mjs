// Candles by SQLite, for a runtime that has it: told on standard input, one JSON line each, what to fill the table
// with or what to ask, and answers with the milliseconds from the query to the finished bytes.
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";

const database = new DatabaseSync(":memory:");
// The first and the last of a bucket are looked up by their times: quicker than window functions over all rows.
const candles = `
  SELECT start, a.v AS open, high, low, z.v AS close, observationCount FROM (
    SELECT t / cast($width AS INTEGER) * cast($width AS INTEGER) AS start, min(t) AS first, max(t) AS last, max(v) AS high, min(v) AS low, count(*) AS observationCount
    FROM o WHERE t >= $from AND t < $to GROUP BY 1
  ) JOIN o AS a ON a.t = first JOIN o AS z ON z.t = last ORDER BY start`;
let select;

for await (const line of createInterface({ input: process.stdin })) {
  const question = JSON.parse(line);
  const began = performance.now();
  const bytes = question.fill ? fill(question.fill) : answer(question);
  const milliseconds = performance.now() - began;
  process.stdout.write(`${JSON.stringify({ milliseconds, ...(question.withText && { text: bytes.toString() }) })}\n`);
}

function fill({ start, rows, hundredths }) {
  database.exec("CREATE TABLE o (t INTEGER PRIMARY KEY, v REAL)");
  database.exec(`
    WITH RECURSIVE r(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM r WHERE n + 1 < ${rows})
    INSERT INTO o SELECT ${start} + n * 60000, (${hundredths}) / 100.0 FROM r`);
  select = database.prepare(candles);
}

function answer({ query: { from, to, widthMs }, head }) {
  const list = select.all({ from, to, width: widthMs }).map(({ start, open, high, low, close, observationCount }) => ({
    start: new Date(start).toISOString(), end: new Date(start + widthMs).toISOString(), open, high, low, close, observationCount, complete: true,
  }));
  return Buffer.from(`${head}${JSON.stringify(list).slice(1)}}`);
}
