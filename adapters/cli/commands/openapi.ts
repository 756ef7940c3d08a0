import { createOpenApi, openApiRoute } from "../../../core/openapi/mod.ts";
import { defineCommand } from "../command.ts";
import { EXIT, wrongUsage } from "../command_failure.ts";
import { textOption } from "../parse_arguments.ts";
import { replaceFile } from "../replace_file.ts";

/** `openapi`: writes the description of the API. */
export const openapi = defineCommand({
  details: `A server with the same settings serves the same document at /openapi.json, without a key.`,
  settings: ["application", "maxCandles", "marketTimeZone", "quotaTimeZone", "chargeFailures"],
  options: {
    out: textOption("FILE", "Write to this file instead of standard output"),
    server: textOption(
      "URL",
      "URL of the service in the document, e.g. https://prices.example.org [default: where the document is served]",
    ),
  },
  async run({ terminal }, { options, settings }) {
    if (options.json && options.out === undefined)
      throw wrongUsage("--json needs --out: without it, the document goes to standard output");
    const { values, assets } = settings;
    const servers = options.server === undefined ? {} : { servers: [readServer(options.server)] };
    const document = createOpenApi({ ...values, assets, ...servers, routes: [openApiRoute()] });
    const text = `${JSON.stringify(document, null, 2)}\n`;
    if (options.out === undefined) {
      await terminal.writeData(text);
      return EXIT.done;
    }
    await replaceFile(options.out, [text]);
    const json = { file: options.out, paths: Object.keys(document.paths).length };
    return { json, text: `The document is in ${options.out}.\n` };
  },
});

function readServer(text: string): string {
  if (text.startsWith("/") || (/^https?:\/\//.test(text) && URL.canParse(text))) return text.replace(/(?<=.)\/$/, "");
  throw wrongUsage(`--server must be an http or https URL, or a path that begins with /: received "${text}"`);
}
