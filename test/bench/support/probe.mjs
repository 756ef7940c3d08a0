// Loaded into every process of a benchmark: reports the resources used, and ends the process with the benchmark.
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
 * Measures each turn of the event loop from now on, which keeps a processor fully busy. The thread's processor time is
 * at most that of all threads, including the garbage collector's, and at most the elapsed time.
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
