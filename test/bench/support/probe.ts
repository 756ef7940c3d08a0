// Loaded into every process that a benchmark starts: tells the processor time used, and ends with the benchmark.
process.on("message", (message) => {
  if (message !== "cpu") return;
  const { user, system } = process.cpuUsage();
  process.send!(user + system);
});
process.on("disconnect", () => process.exit());
// A program that has nothing left to do may end.
process.channel?.unref();
