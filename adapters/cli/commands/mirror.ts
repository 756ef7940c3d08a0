import { defineCommand } from "../command.ts";
import { EXIT } from "../failure.ts";
import { mirrorText } from "../mirror_text.ts";
import { settingOptions } from "../settings_sources.ts";
import { engineFor } from "../with_store.ts";
import { statusOfServer } from "./status.ts";

const DETAILS = `Asks the server that owns the data directory for the units that its mirror has spent and has left,
the last refresh, what it does next and why, how far the archive of each asset reaches, and what was
refused. The exit code is 0 while it works, and 75 when the upstream refuses its key or has no more
units for it, when its last requests have failed, or when there is no mirror.`;

/** `mirror status`: tells what the mirror of a running server does. */
export const mirrorStatus = defineCommand({
  name: "mirror status",
  operands: "",
  summary: "Tell what a mirror has spent, has filled, and does next",
  details: DETAILS,
  options: settingOptions(["data"]),
  async run(context, { options }) {
    const engine = await engineFor({ options, context });
    const server = await statusOfServer(engine);
    const mirror = server?.mirror ?? undefined;
    if (mirror === undefined) {
      const message = server ? `The server of "${engine.name}" is no mirror: start it with --mirror URL` : `No server owns "${engine.name}", so no mirror runs`;
      return { json: { running: server !== undefined, mirror: null }, text: `${message}.\n`, exitCode: EXIT.notReady };
    }
    return { json: { running: true, mirror }, text: mirrorText(mirror), exitCode: mirror.state === "running" ? EXIT.done : EXIT.notReady };
  },
});
