// Runs the client calls as a program for Bun, Deno and Node.

import { type ClientTask, clientCalls } from "./client_calls.ts";

console.log(JSON.stringify(await clientCalls(JSON.parse(process.argv.at(-1)!) as ClientTask)));
