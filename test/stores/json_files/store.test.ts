import { newDirectory, openAt } from "../../support/json_files_fixtures.ts";
import { storeSuite } from "../../support/store_suite.ts";

storeSuite("JSON files", async () => {
  const directory = await newDirectory();
  let store = await openAt(directory);
  return {
    store,
    async reopen() {
      await store.close();
      store = await openAt(directory);
      return store;
    },
    close: () => store.close(),
  };
});
