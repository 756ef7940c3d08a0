import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { accepts, adapted, freePort, makeCertificate, openSockets } from "./proxy.ts";
import type { Proxy } from "./proxy.ts";

/** Starts nginx in front of a server on 127.0.0.1, and ends it with the test. */
export async function startNginx(t: TestContext, upstreamPort: number): Promise<Proxy> {
  const prefix = mkdtempSync(join(tmpdir(), "mazaneh-nginx-"));
  chmodSync(prefix, 0o755); // The workers are another user's.
  const [port, plainPort] = [await freePort(), await freePort()];
  makeCertificate(prefix);
  const conf = adapted(readFileSync("fixtures/deploy/nginx/mazaneh.conf", "utf8"), [
    [/^ *listen \[::\].*\n/gm, ""],
    [/listen 443 /g, `listen 127.0.0.1:${port} `],
    [/listen 80 /g, `listen 127.0.0.1:${plainPort} `],
    [/127\.0\.0\.1:8080/g, `127.0.0.1:${upstreamPort}`],
    [/\/etc\/mazaneh\/tls\//g, `${prefix}/`],
    [/\/var\/log\/nginx\/mazaneh\.log/g, `${prefix}/access.log`],
    [/\/var\/log\/nginx\/mazaneh\.error\.log/g, `${prefix}/error.log`],
  ]);
  writeFileSync(join(prefix, "mazaneh.conf"), conf);
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
