import { useEffect, useState } from "preact/hooks";
import { gregorianOf, parseDate } from "../../../../core/internal.ts";
import { usePage } from "../context.ts";

/** A field for a day. */
export interface DateFieldProps {
  readonly id: string;
  /** `YYYY-MM-DD`, or an empty text. */
  readonly value: string;
  readonly min: string;
  readonly max: string;
  readonly describedBy: string;
  /** Takes the day as `YYYY-MM-DD`; an empty text if it is none. */
  change(day: string): void;
}

/** A day in the calendar of the visitor. Browsers have fields for the Gregorian one only, so a Jalali day is typed, in digits of either script. */
export function DateField({ id, value, min, max, describedBy, change }: DateFieldProps) {
  const { preferences: { calendar, digits } } = usePage();
  const [typed, setTyped] = useState("");
  useEffect(() => setTyped(value === "" ? "" : jalaliText(value, digits)), [value, digits]);
  if (calendar === "gregorian") {
    return <input type="date" id={id} value={value} min={min} max={max} required aria-describedby={describedBy} onInput={({ currentTarget }) => change(currentTarget.value)} />;
  }

  function take(text: string): void {
    setTyped(text);
    const day = gregorianOf(text.trim()) ?? parseDate(text.trim());
    if (day !== undefined) change(day);
  }
  const hint = jalaliText(max, digits);
  const isWrong = typed !== "" && (gregorianOf(typed.trim()) ?? parseDate(typed.trim())) === undefined;
  return (
    <input
      type="text" id={id} class="jalali" inputMode="numeric" dir="ltr" value={typed} placeholder={hint} title={hint} required autocomplete="off" aria-describedby={describedBy}
      aria-invalid={isWrong} onInput={({ currentTarget }) => take(currentTarget.value)}
    />
  );
}

/** A Gregorian day as one of the Jalali calendar, `1405/09/01`. */
export function jalaliText(day: string, digits: "latin" | "persian"): string {
  const locale = `fa-IR-u-ca-persian-nu-${digits === "persian" ? "arabext" : "latn"}`;
  const parts = new Intl.DateTimeFormat(locale, { timeZone: "UTC", year: "numeric", month: "2-digit", day: "2-digit" }).formatToParts(Date.parse(day));
  return ["year", "month", "day"].map((name) => parts.find(({ type }) => type === name)?.value ?? "").join("/");
}
