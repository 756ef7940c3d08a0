import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { NAME } from "../support/attacks.ts";
import { startChild } from "../support/start_child.ts";
import { until } from "../support/wait_until.ts";

/** A running proxy, with its configuration from fixtures/deploy and its own ports. */
export interface Proxy {
  readonly port: number;
  /** The port without TLS. */
  readonly plainPort: number;
  /** The certificate that clients have to trust. */
  readonly ca: string;
  /** The access log and the error log of the proxy. */
  logs(): { readonly access: string; readonly errors: string };
}

/** Replacements in the text of a configuration. */
export type Changes = readonly (readonly [RegExp, string])[];

/** Applies replacements to a configuration. Throws if a pattern does not match. */
export function adapted(conf: string, changes: Changes): string {
  return changes.reduce((text, [from, to]) => {
    if (text.search(from) === -1) throw new Error(`Nothing in the configuration matches ${from}`);
    return text.replace(from, to);
  }, conf);
}

/** Makes a folder with fullchain.pem, a certificate for `NAME`, and its key, privkey.pem. Finds two free ports. */
export async function prepareProxy() {
  const folder = mkdtempSync(join(tmpdir(), "mazaneh-proxy-"));
  const key = "req -x509 -days 90 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes".split(" ");
  const files = ["-keyout", join(folder, "privkey.pem"), "-out", join(folder, "fullchain.pem")];
  const subject = ["-subj", `/CN=${NAME}`, "-addext", `subjectAltName=DNS:${NAME},DNS:localhost`];
  execFileSync("openssl", [...key, ...files, ...subject], { stdio: "pipe" });
  const ca = readFileSync(join(folder, "fullchain.pem"), "utf8");
  return { folder, ca, port: await freePort(), plainPort: await freePort() };
}

/** Starts a proxy that ends with the test, and waits until it listens. Returns a function that reads its stderr. */
export async function startProxy(
  t: TestContext,
  [program, ...args]: readonly [string, ...string[]],
  { folder, port, env = {} }: { readonly folder: string; readonly port: number; readonly env?: NodeJS.ProcessEnv },
): Promise<() => string> {
  const child = startChild(program, args, { env: { PATH: process.env["PATH"], ...env } });
  t.after(async () => {
    await child.end("SIGTERM");
    rmSync(folder, { recursive: true, force: true });
  });
  await until(`${program} listens`, async () => {
    if (child.process.exitCode !== null) throw new Error(`${program} did not start: ${child.err()}`);
    return accepts(port);
  });
  return child.err;
}

/** Whether a program listens on a port of this machine. */
async function accepts(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/`, { method: "HEAD" }).then(
    () => true,
    (error: Error) => !/ECONNREFUSED/.test(String(error.cause)),
  );
}

/** Returns a port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}
