import { SAMPLE_PROVIDER } from "../../../fixtures/sample.ts";
import { systemClock } from "../../system.ts";
import type { OptionTable } from "../args.ts";
import { endDemoKey } from "../demo_key.ts";
import { wrongUsage } from "../failure.ts";
import { hasSample } from "../sample.ts";
import type { Acts } from "../store_session.ts";
import { formatCount } from "../table.ts";

/** The option of `import` that takes the sample out first. */
export const DROP_SAMPLE_OPTION = {
  "drop-sample": { kind: "switch", summary: "First take the made-up sample prices out of the store; FILE is then optional" },
} as const satisfies OptionTable;

/**
 * Keeps records of one's own apart from the sample: throws a usage failure where the store holds made-up prices, or with
 * `drop` takes them out and tells their number. The demo key, which the page gave to everybody, then ends first.
 *
 * @param store The store in the directory `data`.
 */
export async function keepSampleApart(
  store: Acts<"coverage" | "removeProvider" | "book" | "update">,
  { data, drop, note }: { readonly data: string; readonly drop: boolean; readonly note: (line: string) => void },
): Promise<void> {
  if (drop) {
    await endDemoKey(store, data, systemClock);
    const removed = await store.removeProvider(SAMPLE_PROVIDER);
    note(removed > 0 ? `Took ${formatCount(removed)} made-up records out of "${data}".` : `There are no made-up records in "${data}".`);
  } else if (await hasSample(store)) {
    throw wrongUsage(
      `"${data}" holds made-up sample prices (provider SAMPLE), which would be served beside yours. ` +
        "Import into another directory with --data DIR, or take the sample out first with --drop-sample",
    );
  }
}
