// A server that opens files on request. Its parent process has limited the number of open files.
import { open } from "node:fs/promises";
import { plain, startServer } from "./node_stub.ts";

const { origin } = await startServer(async ({ target }) => {
  if (target !== "/files") return plain("well");
  const files = await Promise.all(Array.from({ length: 100 }, () => open(process.execPath)));
  await Promise.all(files.map((file) => file.close()));
  return plain(`${files.length} files opened`);
});
console.log(origin);
