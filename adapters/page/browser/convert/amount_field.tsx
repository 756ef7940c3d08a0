import { useState } from "preact/hooks";
import { usePage } from "../context.ts";
import { amountOf } from "./convert.ts";

/** A field for an amount, in digits of any script. Where nobody types in it, it looks like the number that it is. `label` is for screen readers. */
export function AmountField({ id, label, text, change }: { readonly id: string; readonly label?: string; readonly text: string; change(text: string): void }) {
  const { format } = usePage();
  const [typed, setTyped] = useState<string>();
  const amount = amountOf(text);
  const shown = typed ?? (amount === undefined ? text : new Intl.NumberFormat(format.locale, { maximumFractionDigits: 12 }).format(amount));
  return (
    <input
      id={id} aria-label={label} inputMode="decimal" autocomplete="off" dir="ltr" value={shown} size={Math.max(6, shown.length)} aria-invalid={amountOf(shown) === undefined}
      onInput={({ currentTarget: { value } }) => (setTyped(value), change(value))} onBlur={() => setTyped(undefined)}
    />
  );
}
