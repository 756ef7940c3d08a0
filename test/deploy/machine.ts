import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";

/** What a command left. */
export interface Outcome {
  readonly code: number | null;
  /** Standard output and standard error, as they came. */
  readonly text: string;
}

/** A container in which systemd is process 1. Its root is that of this machine; what is written there is thrown away. */
export interface Machine {
  /** Runs a line of the shell as root. */
  run(line: string, environment?: Readonly<Record<string, string>>): Promise<Outcome>;
}

/** A directory of this machine that the container sees, read-only. */
export interface Bind {
  readonly from: string;
  readonly to: string;
}

/**
 * Starts systemd in a container without a network, and ends it with the test. Resolves to the reason, as text, where
 * this machine cannot do that: systemd-nspawn and root are needed, and an overlay of `/`.
 */
export async function startMachine(t: TestContext, binds: readonly Bind[]): Promise<Machine | string> {
  if (process.getuid?.() !== 0) return "systemd-nspawn wants root";
  if (!hasCommand("systemd-nspawn")) return "there is no systemd-nspawn (package systemd-container)";
  const folder = mkdtempSync(join(tmpdir(), "mazaneh-machine-"));
  const [upper, work, root] = ["upper", "work", "root"].map((name) => join(folder, name));
  for (const path of [upper!, work!, root!]) mkdirSync(path);
  const ways = ["--quiet", "--register=no", "--keep-unit", "--private-network", "--link-journal=no", "--console=pipe"];
  const shared = binds.map(({ from, to }) => `--bind-ro=${from}:${to}`);
  // basic.target: the services that are enabled on this machine stay off.
  const args = [
    ...ways,
    `--machine=mazaneh-${process.pid}`,
    `--directory=${root}`,
    ...shared,
    "--boot",
    "systemd.unit=basic.target",
  ];
  // The overlay is mounted for the container alone, and the container is halted when this process ends in any way.
  const mount = `mount -t overlay overlay -o lowerdir=/,upperdir=${upper},workdir=${work} ${root} && exec systemd-nspawn "$@"`;
  const alone = ["--pdeathsig", "TERM", "unshare", "--mount", "--propagation", "private", "sh", "-c", mount, "sh"];
  const container = spawn("setpriv", [...alone, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(container, "close");
  let said = "";
  for (const stream of [container.stdout, container.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (said += text));
  t.after(async () => {
    const init = initOf(container.pid!);
    if (init !== undefined) process.kill(init, "SIGKILL"); // With its process 1 all of a container ends.
    await ended;
    execFileSync("rm", ["-rf", "--one-file-system", folder]);
  });

  const run: Machine["run"] = async (line, environment = {}) => {
    const init = initOf(container.pid!);
    if (init === undefined) return { code: null, text: "the container has ended" };
    const spaces = ["--mount", "--uts", "--ipc", "--net", "--pid", "--cgroup"];
    const env = {
      PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
      HOME: "/root",
      LANG: "C.UTF-8",
      ...environment,
    };
    const child = spawn("nsenter", [`--target=${init}`, ...spaces, "--", "/bin/bash", "-c", line], {
      stdio: ["ignore", "pipe", "pipe"],
      env,
      detached: true,
    });
    let text = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (part: string) => (text += part));
    const [code] = (await once(child, "close")) as [number | null];
    return { code, text };
  };
  for (let tries = 0; tries < 150 && container.exitCode === null; tries++) {
    const { text } = await run("systemctl is-system-running");
    if (/^(running|degraded)$/m.test(text)) return { run };
    await wait(200);
  }
  return `systemd did not start in a container: ${said.trim().slice(-300)}`;
}

/** Whether a program is installed. */
export function hasCommand(name: string): boolean {
  return ["/usr/sbin", "/usr/bin", "/usr/local/bin", "/sbin", "/bin"].some((folder) => existsSync(join(folder, name)));
}

/** Process 1 of a container, as this machine numbers it. */
function initOf(container: number): number | undefined {
  try {
    const [first] = readFileSync(`/proc/${container}/task/${container}/children`, "utf8").trim().split(" ");
    return first ? Number(first) : undefined;
  } catch {
    return undefined;
  }
}
