import { sampleObservations } from "../../../fixtures/sample.ts";
import { inBatches } from "../../stores/shared/store_copying.ts";
import { defineCommand } from "../command.ts";
import { EXIT, wrongUsage } from "../command_failure.ts";
import { EXPORT_FORMATS } from "../export_rows.ts";

const LINES_PER_WRITE = 5_000;

/** `sample`: prints the sample archive. */
export const sample = defineCommand({
  details: `Prints the prices of serve --sample, for a first try with a store on the disk:

  mazaneh sample | mazaneh import - --init --yes --data try

With --yes, import does not ask you to confirm the first prices of each asset. Their provider
is SAMPLE. Never import them into a store with real prices: nothing distinguishes them there.`,
  settings: [],
  async run({ terminal, clock }, { options }) {
    if (options.json) throw wrongUsage("--json prints one document, but the sample is NDJSON: leave --json out");
    const { row } = EXPORT_FORMATS.get("ndjson")!;
    for await (const batch of inBatches(sampleObservations(clock()), LINES_PER_WRITE))
      await terminal.writeData(batch.map(row).join(""));
    return EXIT.done;
  },
});
