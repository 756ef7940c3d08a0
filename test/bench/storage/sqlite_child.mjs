// Appends observations to SQLite. Each JSON line on standard input says what to append; the answer is the milliseconds
// that it took. WAL with synchronous=FULL syncs each commit, as our store does.
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";

const [folder] = process.argv.slice(2);

for await (const line of createInterface({ input: process.stdin })) {
  const { rows, batch } = JSON.parse(line);
  process.stdout.write(`${JSON.stringify({ milliseconds: append(rows, batch) })}\n`);
}

function append(rows, batch) {
  const directory = mkdtempSync(join(folder, "sqlite-"));
  const database = new DatabaseSync(join(directory, "observations.db"));
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  database.exec("CREATE TABLE o (c TEXT, t INTEGER, v REAL, it INTEGER, st INTEGER, src TEXT, q TEXT, m TEXT, PRIMARY KEY (c, t)) WITHOUT ROWID");
  const insert = database.prepare("INSERT OR REPLACE INTO o VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  const began = performance.now();
  for (let from = 0; from < rows.length; from += batch) {
    const to = Math.min(from + batch, rows.length);
    // A single row is its own transaction.
    if (batch > 1) database.exec("BEGIN");
    for (let i = from; i < to; i++) insert.run(...rows[i]);
    if (batch > 1) database.exec("COMMIT");
  }
  const milliseconds = performance.now() - began;
  const { n } = database.prepare("SELECT count(*) AS n FROM o").get();
  if (n !== rows.length) throw new Error(`Only ${n} of ${rows.length} rows are there`);
  database.close();
  rmSync(directory, { recursive: true });
  return milliseconds;
}
