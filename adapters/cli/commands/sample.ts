import { sampleObservations } from "../../../fixtures/sample.ts";
import { defineCommand } from "../command.ts";
import { EXIT } from "../command_failure.ts";
import { EXPORT_FORMATS } from "../export_rows.ts";

const LINES_PER_WRITE = 5_000;

/** `sample`: prints the sample archive. */
export const sample = defineCommand({
  details: `Prints the prices of serve --sample, for a first try with a store on the disk:

  mazaneh sample | mazaneh import - --init --yes --data try

With --yes, import does not ask whether these first prices of their assets are right. Their provider
is SAMPLE. Never import them into a store with real prices: nothing keeps them apart.`,
  options: {},
  async run({ terminal, clock }) {
    const { row } = EXPORT_FORMATS.get("ndjson")!;
    let lines: string[] = [];
    for (const observation of sampleObservations(clock())) {
      if (lines.push(row(observation)) < LINES_PER_WRITE) continue;
      await terminal.writeData(lines.join(""));
      lines = [];
    }
    await terminal.writeData(lines.join(""));
    return EXIT.done;
  },
});
