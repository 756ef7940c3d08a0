// node:http alone. It answers the status route. Given a count, it holds that many records in typed arrays, as a plain
// store would (asset, business time, value and insert time, 25 bytes each), and answers with one of them.
import { createServer } from "node:http";

const ASSETS = 140;

const [port, count] = process.argv.slice(2).map(Number);
const assets = new Uint8Array(count ?? 0);
const times = new Float64Array(count ?? 0);
const values = new Float64Array(count ?? 0);
const insertTimes = new Float64Array(count ?? 0);
for (let i = 0; i < times.length; i++) {
  assets[i] = i % ASSETS;
  times[i] = 1_700_000_000_000 + Math.floor(i / ASSETS) * 60_000;
  values[i] = 1_000_000 + (i % 9_973) * 50;
  insertTimes[i] = times[i]! + 1_500;
}

let asked = 0;
const server = createServer((_req, res) => {
  const row = (asked++ * 7_919) % Math.max(1, times.length);
  const [businessTime, insertTime] = [times, insertTimes].map((column) => new Date(column[row] ?? 0).toISOString());
  const record = { code: `ASSET_${assets[row]}`, value: values[row], businessTime, insertTime };
  const body = JSON.stringify(times.length > 0 ? record : { status: "OK" });
  res.writeHead(200, { "Content-Type": "application/json; charset=utf-8", "Content-Length": Buffer.byteLength(body) }).end(body);
});
server.listen(port, "127.0.0.1");
