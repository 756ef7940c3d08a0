import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { NAME } from "../support/attacks.ts";
import { adapted, type Changes, freePort, makeCertificate, type Proxy, startProxy } from "./proxy.ts";

/** Starts Caddy in front of a server on 127.0.0.1. Ends Caddy at the end of the test. */
export async function startCaddy(t: TestContext, upstreamPort: number, changes: Changes = []): Promise<Proxy> {
  const folder = mkdtempSync(join(tmpdir(), "mazaneh-caddy-"));
  const [port, plainPort] = [await freePort(), await freePort()];
  makeCertificate(folder);
  // Use a test certificate, because Caddy would request a real one.
  const conf = adapted(readFileSync("fixtures/deploy/caddy/Caddyfile", "utf8"), [
    [/^\tadmin off\n/m, `\tadmin off\n\thttp_port ${plainPort}\n\thttps_port ${port}\n\tdefault_bind 127.0.0.1\n`],
    [new RegExp(`^${NAME} \\{\\n`, "m"), `${NAME} {\n\ttls ${folder}/fullchain.pem ${folder}/privkey.pem\n`],
    [/^\tlog \{\n/m, `\tlog {\n\t\toutput file ${folder}/access.log\n`],
    ...changes,
  ]);
  writeFileSync(join(folder, "Caddyfile"), conf);
  const env = {
    HOME: folder,
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
    MAZANEH_UPSTREAM: `127.0.0.1:${upstreamPort}`,
  };
  const said = await startProxy(t, ["caddy", "run", "--config", join(folder, "Caddyfile"), "--adapter", "caddyfile"], {
    folder,
    port,
    env,
  });
  return {
    ...{ port, plainPort, ca: readFileSync(join(folder, "fullchain.pem"), "utf8") },
    logs: () => ({ access: readFileSync(join(folder, "access.log"), "utf8"), errors: said() }),
  };
}
