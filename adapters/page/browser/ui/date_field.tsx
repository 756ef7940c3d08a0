import { useLayoutEffect, useState } from "preact/hooks";
import { gregorianOf, parseDate } from "../../../../core/internal.ts";
import { usePage } from "../page_context.ts";

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
  const {
    preferences: { calendar, digits },
    texts,
  } = usePage();
  const [typed, setTyped] = useState("");
  const [isWrongShown, showWrong] = useState(false);
  const textOf = (day: string): string => (calendar === "jalali" ? jalaliText(day, digits) : day);
  useLayoutEffect(() => {
    setTyped(value && textOf(value));
    showWrong(false);
  }, [value, calendar, digits]);

  /** Takes a day once it is one, and says that there is no such day when its text is whole, or the field is left. */
  function take(field: HTMLInputElement, isLeft: boolean): void {
    const day = dayOf(field.value);
    const isWrong = day === undefined && (field.value !== "" || field.validity.badInput);
    setTyped(field.value);
    showWrong(isWrong && (isLeft || field.value.length > 9));
    if (!isWrong && !isLeft) change(day ?? "");
  }
  const look =
    calendar === "gregorian"
      ? { type: "date", max }
      : ({ type: "text", class: "jalali", placeholder: textOf(max), title: textOf(max), dir: "ltr" } as const);
  return (
    <>
      <input
        id={id}
        {...look}
        required
        inputMode="numeric"
        aria-describedby={describedBy}
        aria-invalid={isWrongShown}
        value={typed}
        autocomplete="off"
        onInput={({ currentTarget }) => take(currentTarget, false)}
        onBlur={({ currentTarget }) => take(currentTarget, true)}
      />
      {isWrongShown && (
        <span class="small down" role="alert">
          {" "}
          {texts.noSuchDay}
        </span>
      )}
    </>
  );
}

/** The day of a text in either calendar. */
export function dayOf(text: string): string | undefined {
  return gregorianOf(text.trim()) ?? parseDate(text.trim());
}

/** A day in the Jalali calendar, `1405/09/01`. */
function jalaliText(day: string, digits: "latin" | "persian"): string {
  const locale = `fa-IR-u-ca-persian-nu-${digits === "persian" ? "arabext" : "latn"}`;
  return new Intl.DateTimeFormat(locale, { timeZone: "UTC", year: "numeric", month: "2-digit", day: "2-digit" }).format(
    Date.parse(day),
  );
}
