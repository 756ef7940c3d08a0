import { SAMPLE_PROVIDER } from "../../../fixtures/sample.ts";
import type { ReachedStore } from "../../store/engine.ts";
import { systemClock } from "../../system.ts";
import type { OptionTable } from "../args.ts";
import { endDemoKey } from "../demo_key.ts";
import type { CliEngine } from "../engine.ts";
import { wrongUsage } from "../failure.ts";
import { hasSample } from "../sample.ts";
import { formatCount } from "../table.ts";

/** The option of `import` that takes the sample out first. */
export const DROP_SAMPLE_OPTION = {
  "drop-sample": { kind: "switch", summary: "First take the made-up sample prices out of the store; FILE is then optional" },
} as const satisfies OptionTable;

/**
 * Keeps records of one's own apart from the sample: throws a usage failure where the store holds made-up prices, or with
 * `drop` takes them out and tells their number. The demo key, which the page gave to everybody, then ends first.
 *
 * @param store The store of `engine`.
 */
export async function keepSampleApart(
  { observations, accounts }: Pick<ReachedStore, "observations" | "accounts">,
  { engine: { name, files }, drop, note }: { readonly engine: Pick<CliEngine, "name" | "files">; readonly drop: boolean; readonly note: (line: string) => void },
): Promise<void> {
  if (drop) {
    if (files) await endDemoKey(accounts, files.directory, systemClock);
    const removed = await observations.removeProvider(SAMPLE_PROVIDER);
    note(removed > 0 ? `Took ${formatCount(removed)} made-up records out of "${name}".` : `There are no made-up records in "${name}".`);
  } else if (await hasSample(observations)) {
    throw wrongUsage(
      `"${name}" holds made-up sample prices (provider SAMPLE), which would be served beside yours. ` +
        "Import into another directory with --data DIR, or take the sample out first with --drop-sample",
    );
  }
}
