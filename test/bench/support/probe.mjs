// Loaded into every process that a benchmark starts: it tells the processor time used, and ends with the benchmark.
process.on("message", (message) => {
  if (message !== "cpu") return;
  const { user, system } = process.cpuUsage();
  process.send(user + system);
});
process.on("disconnect", () => process.exit());
// The channel alone must not keep a finished program running.
process.channel?.unref();
