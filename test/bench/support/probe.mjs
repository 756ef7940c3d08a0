// Loaded into every process that a benchmark starts: it tells what was used, and ends with the benchmark.
import { writeFileSync } from "node:fs";

const usageFile = process.env.BENCH_USAGE;
let turnMs = 0;
let watched = false;
let since = 0;

process.on("message", (message) => {
  if (message === "cpu") process.send(cpuMs() * 1_000);
  if (message !== "usage") return;
  process.send({ cpuMs: cpuMs(), rssBytes: process.memoryUsage.rss(), turnMs });
  turnMs = 0;
  since = cpuMs();
  if (!watched) watchTurns();
  watched = true;
});
process.on("disconnect", () => process.exit());
// The channel alone must not keep a finished program running.
process.channel?.unref();

if (usageFile !== undefined)
  process.on("exit", () => {
    const { maxRSS } = process.resourceUsage();
    writeFileSync(usageFile, JSON.stringify({ cpuMs: cpuMs(), rssBytes: maxRSS * 1_024, turnMs }));
  });

/** Measures each turn of the event loop from now on, which takes all of a processor. */
function watchTurns() {
  const now = cpuMs();
  turnMs = Math.max(turnMs, now - since);
  since = now;
  setImmediate(watchTurns);
}

function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
