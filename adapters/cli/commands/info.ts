import { resolve } from "node:path";
import { indexAssets } from "../../../core/internal.ts";
import { defineCommand } from "../command.ts";
import { factsOf } from "../market/asset_facts.ts";
import { infoJson, infoText } from "../market/info_report.ts";

/** `info`: shows the content of a store. */
export const info = defineCommand({
  details: `Reads the data and changes nothing. Shows for each asset the number of records, the first and the
last business time, the largest change from one accepted record to the next, gaps of more than a
week without an accepted record, and the providers. A jump by a factor of about 10 often means toman
among rial.`,
  async run(context, { settings, withReader }) {
    const catalog = indexAssets(settings.assets);
    const order = [...catalog.keys()];
    const rank = (code: string): number => (catalog.has(code) ? order.indexOf(code) : order.length);
    return withReader(async (reader, { name, directory }) => {
      const { storeId, observations, damages, bytes } = await reader.market();
      const found = await factsOf(observations.records());
      const place = directory === undefined ? { store: name } : { directory: resolve(directory) };
      const assets = found.sort((a, b) => rank(a.code) - rank(b.code));
      const facts = { place, storeId, assets, catalog, disk: await bytes(), damages };
      return { json: infoJson(facts), text: infoText(facts, context.terminal.columns) };
    });
  },
});
