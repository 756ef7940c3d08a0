import { fillGuide } from "../../guide/guide_values.ts";
import type { GuideValues } from "../../guide/guide_values.ts";
import type { Preferences } from "../preferences.ts";

/** A text of the guide for this server and reader: values filled in, and Persian digits only where they are wanted. */
export function proseOf(text: string, values: GuideValues, { digits }: Pick<Preferences, "digits">): string {
  const filled = fillGuide(text, values);
  if (digits === "persian") return filled;
  return filled.replace(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15)).replaceAll("٬", ",").replaceAll("٫", ".");
}
