import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { adapted, type Changes, freePort, makeCertificate, type Proxy, startProxy } from "./proxy.ts";

/** Starts nginx in front of a server on 127.0.0.1. Ends nginx at the end of the test. */
export async function startNginx(t: TestContext, upstreamPort: number, changes: Changes = []): Promise<Proxy> {
  const prefix = mkdtempSync(join(tmpdir(), "mazaneh-nginx-"));
  chmodSync(prefix, 0o755); // The workers of nginx run as another user.
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
    ...changes,
  ]);
  writeFileSync(join(prefix, "mazaneh.conf"), conf);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (kind) => `${kind}_temp_path ${prefix}/${kind};`,
  );
  for (const kind of ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]) mkdirSync(join(prefix, kind));
  // The same as /etc/nginx/nginx.conf on Debian, except for the paths.
  const main = `daemon off; pid ${prefix}/pid; error_log ${prefix}/error.log; worker_processes 2; events { worker_connections 768; }
http { access_log off; ${temporary.join(" ")} include ${prefix}/mazaneh.conf; }\n`;
  writeFileSync(join(prefix, "nginx.conf"), main);

  await startProxy(t, ["nginx", "-e", `${prefix}/error.log`, "-p", prefix, "-c", `${prefix}/nginx.conf`], {
    folder: prefix,
    port,
  });
  return {
    port,
    plainPort,
    ca: readFileSync(join(prefix, "fullchain.pem"), "utf8"),
    logs: () => ({
      access: readFileSync(join(prefix, "access.log"), "utf8"),
      errors: readFileSync(join(prefix, "error.log"), "utf8"),
    }),
  };
}
