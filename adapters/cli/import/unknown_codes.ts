import { suggestAssets } from "../../../core/internal.ts";
import type { Asset, RawRecord } from "../../../core/mod.ts";
import { printable } from "../command_failure.ts";
import { listNames } from "../text_table.ts";

const LISTED = 5;
/** The maximum number of remembered codes. If the wrong column is read as codes, every line may have a new code. */
const REMEMBERED = 1_000;
const LONGEST = 32;

/** Collects codes of refused records that are not in the catalog. */
export function watchUnknownCodes(assets: readonly Asset[]) {
  const known = new Set<unknown>(assets.map(({ code }) => code));
  const unknown = new Set<string>();

  return {
    see({ code }: RawRecord): void {
      const text = typeof code === "string" ? code.trim() : "";
      const isNew = text !== "" && text.length <= LONGEST && !known.has(text);
      if (isNew && unknown.size < REMEMBERED) unknown.add(text);
    },
    /** A line with these codes and the setting that adds codes to the catalog; `undefined` if there is no such code. */
    advice(): string | undefined {
      if (unknown.size === 0) return undefined;
      const codes = [...unknown].map((code, at) => {
        const suggestion = at < LISTED ? suggestAssets(assets, code) : "";
        return suggestion === "" ? code : `${code} (did you mean ${suggestion}?)`;
      });
      const names = listNames(codes, LISTED);
      return printable(`Not in the catalog: ${names}. Add codes with "assets" in the config file (--config)`);
    },
  };
}
