// node:http alone: answers the status route; given a count, it holds that many records in typed arrays and
// answers with one of them.
import { createServer } from "node:http";

const [port, count] = process.argv.slice(2).map(Number);
const times = new Float64Array(count ?? 0);
const values = new Float64Array(count ?? 0);
for (let i = 0; i < times.length; i++) {
  times[i] = 1_700_000_000_000 + i * 1_000;
  values[i] = 1_000_000 + (i % 9_973) * 50;
}

let asked = 0;
const server = createServer((_req, res) => {
  const row = (asked++ * 7_919) % Math.max(1, times.length);
  const record = { code: "USD_RLS", value: values[row], businessTime: new Date(times[row] ?? 0).toISOString() };
  const body = JSON.stringify(times.length > 0 ? record : { status: "OK" });
  res.writeHead(200, { "Content-Type": "application/json; charset=utf-8", "Content-Length": Buffer.byteLength(body) }).end(body);
});
server.listen(port, "127.0.0.1");
