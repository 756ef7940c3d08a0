import { useEffect, useState } from "preact/hooks";
import { gregorianOf, parseDate } from "../../../../core/internal.ts";
import { usePage } from "../context.ts";

interface DateFieldProps {
  readonly id: string;
  /** `YYYY-MM-DD`, as all days here; an empty text for none yet. */
  readonly value: string;
  readonly max: string;
  readonly describedBy: string;
  change(day: string): void;
}

/** A day in the calendar of the visitor. Browsers have fields for the Gregorian one only, so a Jalali day is typed, in digits of either script. */
export function DateField({ id, value, max, describedBy, change }: DateFieldProps) {
  const { preferences: { calendar, digits }, texts } = usePage();
  const [typed, setTyped] = useState("");
  useEffect(() => setTyped(value && jalaliText(value, digits)), [value, digits]);
  const field = { id, required: true, "aria-describedby": describedBy };
  if (calendar === "gregorian") return <input type="date" {...field} value={value} max={max} onInput={({ currentTarget }) => change(currentTarget.value)} />;

  function take(text: string): void {
    setTyped(text);
    const day = dayOf(text);
    if (day !== undefined || text === "") change(day ?? "");
  }
  const hint = jalaliText(max, digits);
  const isWrong = typed !== "" && dayOf(typed) === undefined;
  return (
    <>
      <input
        type="text" {...field} class="jalali" inputMode="numeric" dir="ltr" value={typed} placeholder={hint} title={hint} autocomplete="off"
        aria-invalid={isWrong} onInput={({ currentTarget }) => take(currentTarget.value)}
      />
      {isWrong && typed.length > 9 && <span class="small down" role="alert"> {texts.noSuchDay}</span>}
    </>
  );
}

/** The day of a text in either calendar. */
function dayOf(text: string): string | undefined {
  return gregorianOf(text.trim()) ?? parseDate(text.trim());
}

/** A day in the Jalali calendar, `1405/09/01`. */
function jalaliText(day: string, digits: "latin" | "persian"): string {
  const locale = `fa-IR-u-ca-persian-nu-${digits === "persian" ? "arabext" : "latn"}`;
  return new Intl.DateTimeFormat(locale, { timeZone: "UTC", year: "numeric", month: "2-digit", day: "2-digit" }).format(Date.parse(day));
}
