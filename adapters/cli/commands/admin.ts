import { defineCommand } from "../command.ts";
import { CommandFailure, EXIT } from "../command_failure.ts";
import { engineFor } from "../with_store.ts";
import { statusOfServer } from "./status.ts";

/** `admin`: the address of the admin page of the running server. */
export const admin = defineCommand({
  details: `The admin listener of a server has a page: readiness with its reasons, units by account and key,
errors, the age of each asset, pending values, imports, changes, the disk and the last backup. It
listens on this machine only; reach it from elsewhere through a tunnel.`,
  settings: ["data"],
  async run(context, { options, settings }) {
    const engine = await engineFor({ options, context, settings });
    const found = await statusOfServer(engine);
    if (!found) throw new CommandFailure(`No server owns "${engine.name}"`, EXIT.notReady);
    if (found.adminUrl === null)
      throw new CommandFailure("The server has no admin listener: start it with --admin-port 9464", EXIT.notReady);
    const { host } = new URL(found.adminUrl);
    const url = `${found.adminUrl}/`;
    return {
      json: { url },
      text: `${url}\nFrom another machine:  ssh -L ${host.split(":").at(-1)}:${host} THIS_MACHINE  and then the same address.\n`,
    };
  },
});
