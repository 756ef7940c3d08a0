import { suggestAssets } from "../../../core/internal.ts";
import type { Asset, RawRecord } from "../../../core/mod.ts";
import { printable } from "../command_failure.ts";

/** Gathers the codes of an import that the catalog does not have. */
export interface UnknownCodes {
  /** Takes notice of a record that was refused. */
  see(record: RawRecord | undefined): void;
  /** A line that names the codes and the setting that adds them; `undefined` where there were none. */
  advice(): string | undefined;
}

const LISTED = 5;
/** A column in the wrong place has as many codes as the file has lines. */
const REMEMBERED = 1_000;
const LONGEST = 32;

/** Watches the records that are refused. */
export function watchUnknownCodes(assets: readonly Asset[]): UnknownCodes {
  const known = new Set<unknown>(assets.map(({ code }) => code));
  const unknown = new Set<string>();
  return {
    see({ code } = {}) {
      const text = typeof code === "string" ? code.trim() : "";
      const isNew = text !== "" && text.length <= LONGEST && !known.has(text);
      if (isNew && unknown.size < REMEMBERED) unknown.add(text);
    },
    advice() {
      if (unknown.size === 0) return undefined;
      const more = unknown.size - LISTED;
      const names =
        [...unknown]
          .slice(0, LISTED)
          .map((code) => suggested(assets, code))
          .join(", ") + (more > 0 ? ` and ${more.toLocaleString("en-US")} more` : "");
      return printable(`Not in the catalog: ${names}. "assets" in the config file (--config) adds codes to it`);
    },
  };
}

function suggested(assets: readonly Asset[], code: string): string {
  const suggestion = suggestAssets(assets, code);
  return suggestion === "" ? code : `${code} (did you mean ${suggestion}?)`;
}
