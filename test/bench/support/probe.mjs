// Loaded into every process of a benchmark. Reports the used resources, and ends the process when the benchmark ends.
import { writeFileSync } from "node:fs";

const usageFile = process.env.BENCH_USAGE;
let turnMs = 0;
let watched = false;
let since = 0;
let sinceClock = 0;

process.on("message", (message) => {
  if (message === "cpu") process.send(cpuMs() * 1_000);
  if (message !== "usage") return;
  process.send({ cpuMs: cpuMs(), rssBytes: process.memoryUsage.rss(), turnMs });
  turnMs = 0;
  [since, sinceClock] = [cpuMs(), performance.now()];
  if (!watched) watchTurns();
  watched = true;
});
process.on("disconnect", () => process.exit());
// The message channel must not keep a finished program running.
process.channel?.unref();

if (usageFile !== undefined)
  process.on("exit", () => {
    const { maxRSS } = process.resourceUsage();
    writeFileSync(usageFile, JSON.stringify({ cpuMs: cpuMs(), rssBytes: maxRSS * 1_024, turnMs }));
  });

/**
 * Measures each turn of the event loop from now on; this keeps a processor fully busy. A turn's processor time is
 * estimated as the smaller of the elapsed time and the processor time of all threads.
 */
function watchTurns() {
  const [now, clock] = [cpuMs(), performance.now()];
  turnMs = Math.max(turnMs, Math.min(now - since, clock - sinceClock));
  [since, sinceClock] = [now, clock];
  setImmediate(watchTurns);
}

function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
