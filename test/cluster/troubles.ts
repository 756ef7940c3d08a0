import { setTimeout as delay } from "node:timers/promises";
import type { ServerProcess } from "../support/server_process.ts";
import type { TcpProxy } from "../support/tcp_proxy.ts";

/** A way to make a server unreachable for instances, and to bring it back. */
export type Trouble = readonly [rule: string, trouble: () => Promise<unknown>, mend: () => Promise<void>];

/** The ways to make a server unreachable. Instances connect to the server through `network`. */
export function troublesOf(name: string, server: ServerProcess, network: TcpProxy): readonly Trouble[] {
  const leadBack = async (): Promise<void> => network.leadTo(server.port);
  return [
    [
      `connections to ${name} are cut again and again`,
      async () => {
        for (let n = 0; n < 10; n++, await delay(30)) network.cut();
        network.leadTo(undefined);
      },
      leadBack,
    ],
    [`${name} is stopped`, () => server.stop(), () => server.restart()],
    [`${name} is killed`, () => server.kill(), () => server.restart()],
    [`the machine of ${name} vanishes silently`, async () => network.lose(), leadBack],
    [`${name} is frozen`, async () => server.pause(), async () => server.resume()],
  ];
}
