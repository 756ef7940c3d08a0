// Appends the rows of each message to a new SQLite database below `folder`, in transactions of `batch` rows.
// Answers with the elapsed milliseconds. WAL with synchronous=FULL syncs each commit, as our store does.
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

process.on("message", (message) => process.send(append(message)));
process.channel.ref();
console.log("ready");

function append({ folder, rows, batch }) {
  const directory = mkdtempSync(join(folder, "sqlite-"));
  const database = new DatabaseSync(join(directory, "observations.db"));
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  database.exec("CREATE TABLE o (c TEXT, t INTEGER, v REAL, it INTEGER, src TEXT, PRIMARY KEY (c, t)) WITHOUT ROWID");
  const insert = database.prepare("INSERT OR REPLACE INTO o VALUES (?, ?, ?, ?, ?)");
  const began = performance.now();
  for (let from = 0; from < rows.length; from += batch) {
    // A single row is its own transaction.
    if (batch > 1) database.exec("BEGIN");
    for (const row of rows.slice(from, from + batch)) insert.run(...row);
    if (batch > 1) database.exec("COMMIT");
  }
  const milliseconds = performance.now() - began;
  if (database.prepare("SELECT count(*) AS n FROM o").get().n !== rows.length) throw new Error("Rows are missing");
  database.close();
  rmSync(directory, { recursive: true });
  return milliseconds;
}
