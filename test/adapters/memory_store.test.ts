import { createMemoryStore } from "../../adapters/memory_store.ts";
import { storeSuite } from "../support/store_suite.ts";

storeSuite("memory store", async () => ({ store: createMemoryStore() }));
