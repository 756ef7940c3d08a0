import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { NAME } from "../support/attacks.ts";
import { adapted, type Changes, type Proxy, prepareProxy, startProxy } from "./proxy.ts";

/** Starts Caddy in front of a server on 127.0.0.1. Ends Caddy at the end of the test. */
export async function startCaddy(t: TestContext, upstreamPort: number, changes: Changes = []): Promise<Proxy> {
  const { folder, port, plainPort, ca } = await prepareProxy();
  // Uses a test certificate, because Caddy would request a real one.
  const conf = adapted(readFileSync("fixtures/deploy/caddy/Caddyfile", "utf8"), [
    [/^\tadmin off\n/m, `\tadmin off\n\thttp_port ${plainPort}\n\thttps_port ${port}\n\tdefault_bind 127.0.0.1\n`],
    [new RegExp(`^${NAME} \\{\\n`, "m"), `${NAME} {\n\ttls ${folder}/fullchain.pem ${folder}/privkey.pem\n`],
    [/^\tlog \{\n/m, `\tlog {\n\t\toutput file ${folder}/access.log\n`],
    ...changes,
  ]);
  const file = join(folder, "Caddyfile");
  writeFileSync(file, conf);
  const homes = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const env = { ...homes, MAZANEH_UPSTREAM: `127.0.0.1:${upstreamPort}` };
  const command = ["caddy", "run", "--config", file, "--adapter", "caddyfile"] as const;
  const errors = await startProxy(t, [...command], { folder, port, env });
  const logs = () => ({ access: readFileSync(join(folder, "access.log"), "utf8"), errors: errors() });
  return { port, plainPort, ca, logs };
}
