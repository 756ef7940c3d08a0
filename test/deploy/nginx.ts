import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";

/** The name for which nginx has a certificate. */
export const NAME = "api.example.org";

/** nginx with the configuration of fixtures/deploy, on ports of its own. */
export interface Nginx {
  readonly port: number;
  /** The port without TLS. */
  readonly plainPort: number;
  /** The certificate that clients have to trust. */
  readonly ca: string;
  /** Open sockets of all workers. */
  sockets(): number;
  /** What nginx wrote about requests, and about its own troubles. */
  logs(): { readonly access: string; readonly errors: string };
}

/** Starts nginx in front of a server on 127.0.0.1, and ends it with the test. */
export async function startNginx(t: TestContext, upstreamPort: number): Promise<Nginx> {
  const prefix = mkdtempSync(join(tmpdir(), "mazaneh-nginx-"));
  chmodSync(prefix, 0o755); // The workers are another user's.
  const [port, plainPort] = [await freePort(), await freePort()];
  makeCertificate(prefix);
  writeFileSync(join(prefix, "mazaneh.conf"), adapted(readFileSync("fixtures/deploy/nginx/mazaneh.conf", "utf8"), { port, plainPort, upstreamPort, prefix }));
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((kind) => `${kind}_temp_path ${prefix}/${kind};`);
  for (const kind of ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]) mkdirSync(join(prefix, kind));
  // Besides the paths: what /etc/nginx/nginx.conf of Debian has.
  const main = `daemon off; pid ${prefix}/pid; error_log ${prefix}/error.log; worker_processes 2; events { worker_connections 768; }
http { access_log off; ${temporary.join(" ")} include ${prefix}/mazaneh.conf; }\n`;
  writeFileSync(join(prefix, "nginx.conf"), main);

  const child = spawn("nginx", ["-e", `${prefix}/error.log`, "-p", prefix, "-c", `${prefix}/nginx.conf`], { stdio: ["ignore", "ignore", "pipe"] });
  const closed = once(child, "close");
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  t.after(async () => {
    child.kill("SIGTERM");
    await closed;
    rmSync(prefix, { recursive: true, force: true });
  });
  const workers = (): string[] => readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim().split(" ");
  for (let tries = 0; !(await accepts(port)); tries++) {
    if (tries > 100 || child.exitCode !== null) throw new Error(`nginx did not start: ${said}`);
    await wait(50);
  }
  return {
    port,
    plainPort,
    ca: readFileSync(join(prefix, "fullchain.pem"), "utf8"),
    sockets: () => workers().reduce((sum, pid) => sum + openSockets(Number(pid)), 0),
    logs: () => ({ access: readFileSync(join(prefix, "access.log"), "utf8"), errors: readFileSync(join(prefix, "error.log"), "utf8") }),
  };
}

/** Open sockets of a process. */
export function openSockets(pid: number): number {
  const links = execFileSync("ls", ["-l", `/proc/${pid}/fd`], { encoding: "utf8" });
  return links.split("\n").filter((line) => line.includes("socket:")).length;
}

/** The configuration with ports and paths of a test. Throws when it has not what is to be replaced. */
function adapted(conf: string, { port, plainPort, upstreamPort, prefix }: { port: number; plainPort: number; upstreamPort: number; prefix: string }): string {
  const changes: readonly (readonly [RegExp, string])[] = [
    [/^ *listen \[::\].*\n/gm, ""],
    [/listen 443 /g, `listen 127.0.0.1:${port} `],
    [/listen 80 /g, `listen 127.0.0.1:${plainPort} `],
    [/127\.0\.0\.1:8080/g, `127.0.0.1:${upstreamPort}`],
    [/\/etc\/mazaneh\/tls\//g, `${prefix}/`],
    [/\/var\/log\/nginx\/mazaneh\.log/g, `${prefix}/access.log`],
    [/\/var\/log\/nginx\/mazaneh\.error\.log/g, `${prefix}/error.log`],
  ];
  return changes.reduce((text, [from, to]) => {
    if (text.search(from) === -1) throw new Error(`The configuration has nothing like ${from}`);
    return text.replace(from, to);
  }, conf);
}

function makeCertificate(folder: string): void {
  const subject = ["-subj", `/CN=${NAME}`, "-addext", `subjectAltName=DNS:${NAME}`];
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", join(folder, "privkey.pem")];
  execFileSync("openssl", ["req", "-x509", "-days", "2", ...key, "-out", join(folder, "fullchain.pem"), ...subject], { stdio: "pipe" });
}

async function accepts(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/`, { method: "HEAD" }).then(() => true, (error: Error) => !/ECONNREFUSED/.test(String(error.cause)));
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}
