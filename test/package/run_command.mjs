import { spawn } from "node:child_process";

/** Runs a command. Resolves to its standard output. If the exit code is not 0, rejects with the whole output. */
export async function run(command, args, options = {}) {
  const child = start(command, args, options);
  const code = await child.exited;
  if (code === 0) return child.stdout();
  throw new Error(`A command ended with ${code}: ${command} ${args.join(" ")}\n${child.stdout()}${child.stderr()}`);
}

/** Starts a command as the leader of its own process group, without waiting for its end. */
export function start(command, args, options = {}) {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], detached: true, ...options });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (stderr += text));
  const exited = new Promise((done, fail) => {
    child.once("error", fail);
    child.once("close", (code, signal) => done(code ?? signal));
  });
  return {
    exited,
    stdout: () => stdout,
    stderr: () => stderr,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    /** Sends a signal to the whole group, as a terminal does, because npx does not forward SIGTERM. */
    kill(signal) {
      try {
        process.kill(-child.pid, signal);
      } catch {
        // The group has already ended.
      }
    },
  };
}

/** Waits until `made` returns a value. Rejects after five minutes (a busy machine is slow), or if the child ends first. */
export async function until(child, what, made) {
  for (let tries = 0; tries < 6_000 && child.isRunning(); tries++) {
    const found = await made();
    if (found) return found;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`Missing: ${what}; the program printed:\n${child.stdout()}${child.stderr()}`);
}
