// Loaded into every process that a benchmark starts: it tells what was used, and ends with the benchmark.
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
// The channel alone must not keep a finished program running.
process.channel?.unref();

if (usageFile !== undefined)
  process.on("exit", () => {
    const { maxRSS } = process.resourceUsage();
    writeFileSync(usageFile, JSON.stringify({ cpuMs: cpuMs(), rssBytes: maxRSS * 1_024, turnMs }));
  });

/**
 * Measures each turn of the event loop from now on, which takes all of a processor. The processor time of its thread is at most
 * what all threads took, those of the garbage collector too, and at most the time that went by.
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
