import { createMemoryStore } from "../../../adapters/stores/memory_store.ts";
import { ingestSuite } from "../../support/ingest_suite.ts";
import { newDirectory, openAt } from "../../support/json_files_fixtures.ts";

ingestSuite("memory", async () => ({ store: createMemoryStore() }));

ingestSuite("files", async () => {
  const store = await openAt(await newDirectory());
  return { store, close: store.close };
});
