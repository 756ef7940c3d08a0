import { storeSuite } from "../../support/store_suite.ts";
import { newDirectory, openAt } from "../../support/store_suite_files.ts";

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
