// Clients in a process of their own that ask again and again, each on one connection, until the server ends it. Tells
// its parent when each has been answered once, and then how the connections ended.
import { askUntilClosed } from "../support/closing_load.ts";

const [url = "", key = "", count = "0"] = process.argv.slice(2);
const { started, endings } = askUntilClosed(url, Number(count), { path: "/api/v1/assets/supported", headers: { "X-API-Key": key } });
await started;
process.send?.("started");
process.send?.(await endings);
process.disconnect();
