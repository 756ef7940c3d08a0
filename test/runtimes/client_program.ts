// The calls of a client, from the command line of Bun, Deno and Node.

import { type ClientTask, clientCalls } from "./client_calls.ts";

console.log(JSON.stringify(await clientCalls(JSON.parse(process.argv.at(-1)!) as ClientTask)));
