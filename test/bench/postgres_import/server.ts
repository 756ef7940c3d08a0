// Starts PostgreSQL for a benchmark, which writes to the disk before it answers, and ends it with the benchmark. A program
// of its own, as the starter belongs to tests and prints as tests do.
import { startPostgres } from "../../support/postgres_server.ts";

process.once("disconnect", () => process.exit());
const server = await startPostgres({ settings: { fsync: "on", max_wal_size: "4GB" } });
process.send!(server?.url ?? "missing");
