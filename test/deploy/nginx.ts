import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { adapted, type Changes, type Proxy, prepareProxy, startProxy } from "./proxy.ts";

const TEMPORARY = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];

/** Starts nginx in front of a server on 127.0.0.1. Ends nginx at the end of the test. */
export async function startNginx(t: TestContext, upstreamPort: number, changes: Changes = []): Promise<Proxy> {
  const { folder, port, plainPort, ca } = await prepareProxy();
  chmodSync(folder, 0o755); // The workers of nginx run as another user.
  const conf = adapted(readFileSync("fixtures/deploy/nginx/mazaneh.conf", "utf8"), [
    [/^ *listen \[::\].*\n/gm, ""],
    [/listen 443 /g, `listen 127.0.0.1:${port} `],
    [/listen 80 /g, `listen 127.0.0.1:${plainPort} `],
    [/127\.0\.0\.1:8080/g, `127.0.0.1:${upstreamPort}`],
    [/\/etc\/mazaneh\/tls\//g, `${folder}/`],
    [/\/var\/log\/nginx\/mazaneh\.log/g, `${folder}/access.log`],
    [/\/var\/log\/nginx\/mazaneh\.error\.log/g, `${folder}/error.log`],
    ...changes,
  ]);
  writeFileSync(join(folder, "mazaneh.conf"), conf);
  for (const kind of TEMPORARY) mkdirSync(join(folder, kind));
  const paths = TEMPORARY.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(" ");
  // The same as /etc/nginx/nginx.conf on Debian, except for the paths.
  const main = `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; worker_processes 2; events { worker_connections 768; }
http { access_log off; ${paths} include ${folder}/mazaneh.conf; }\n`;
  writeFileSync(join(folder, "nginx.conf"), main);

  const command = ["nginx", "-e", `${folder}/error.log`, "-p", folder, "-c", `${folder}/nginx.conf`] as const;
  await startProxy(t, [...command], { folder, port });
  const read = (name: string): string => readFileSync(join(folder, name), "utf8");
  return { port, plainPort, ca, logs: () => ({ access: read("access.log"), errors: read("error.log") }) };
}
