import { defineCommand } from "../command.ts";
import { demandDirectory } from "../engines/engine.ts";
import { formatCount } from "../text_table.ts";
import { engineFor } from "../with_store.ts";

const INSTEAD = "A database frees its space itself: PostgreSQL with autovacuum";

/** `compact`: takes superseded records out of the files. */
export const compact = defineCommand({
  details: `The log of prices keeps every line that was written. This command writes the current records to a
new file, and removes the files that also hold replaced and removed ones. No record changes, and
requests are served meanwhile. It needs free space for one copy of the records; if there is too
little, everything stays as it was. A log with damaged lines is refused, as their content would be
lost. Old records are never thinned out: answers about their days would change.

When a store is opened, a log of more than 16 MB is compacted automatically if more than an eighth of
it is superseded, or most of its lines hold a single record.`,
  settings: ["data"],
  async run(context, { options, settings }) {
    const engine = await engineFor({ options, context, settings });
    demandDirectory(engine, INSTEAD);
    const { records, bytes, freed } = await engine.compact!();
    return {
      json: { records, bytes, freed },
      text: `The log holds ${formatCount(records)} records in ${formatCount(bytes)} bytes; ${formatCount(freed)} bytes were freed.\n`,
    };
  },
});
