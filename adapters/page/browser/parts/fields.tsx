import type { InputHTMLAttributes } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { gregorianOf, parseDate } from "../../../../core/internal.ts";
import { amountOf } from "../data/conversion.ts";
import { format, language, texts } from "../data/state.ts";

interface DateFieldProps {
  readonly id: string;
  /** `YYYY-MM-DD`, like `max`; empty if no day is chosen yet. */
  readonly value: string;
  readonly max: string;
  readonly describedBy: string;
  /** Whether days after `max` are invalid. */
  readonly isStrict?: boolean;
  change(day: string): void;
}

/** A field for a day. Date fields in browsers are Gregorian, so a Jalali day is typed into a text field. */
export function DateField({ id, value, max, describedBy, isStrict = false, change }: DateFieldProps) {
  const isJalali = language.value === "fa";
  const [typed, setTyped] = useState("");
  const [isWrongShown, showWrong] = useState(false);
  const textOf = (day: string): string => (isJalali ? jalaliText(day) : day);
  useLayoutEffect(() => {
    setTyped(value && textOf(value));
    showWrong(false);
  }, [value, isJalali]);

  /** Accepts a valid day at once. Reports an invalid day when its text is complete or the field loses the focus. */
  function take(field: HTMLInputElement, isLeft: boolean): void {
    const read = dayOf(field.value);
    const day = isStrict && read !== undefined && read > max ? undefined : read;
    const isWrong = day === undefined && (field.value !== "" || field.validity.badInput);
    setTyped(field.value);
    showWrong(isWrong && (isLeft || /\p{Nd}{8}|.{10}/u.test(field.value)));
    if (!isWrong && !isLeft) change(day ?? "");
  }
  const look = isJalali
    ? ({ type: "text", class: "jalali", placeholder: textOf(max), title: textOf(max), dir: "ltr" } as const)
    : { type: "date", max };
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
          {texts.value.noSuchDay}
        </span>
      )}
    </>
  );
}

/** Reads a Jalali or Gregorian day. Separators are optional, because the number pad of a phone has none. */
export function dayOf(text: string): string | undefined {
  const day = text.trim().replace(/^(\p{Nd}{4})(\p{Nd}{2})(\p{Nd}{2})$/u, "$1/$2/$3");
  return gregorianOf(day) ?? parseDate(day);
}

/** A day written in the Jalali calendar, `۱۴۰۵/۰۹/۰۱`. */
function jalaliText(day: string): string {
  const parts = { timeZone: "UTC", year: "numeric", month: "2-digit", day: "2-digit" } as const;
  return new Intl.DateTimeFormat("fa-IR-u-ca-persian-nu-arabext", parts).format(Date.parse(day));
}

type Hints = Pick<InputHTMLAttributes<HTMLInputElement>, "inputMode" | "enterKeyHint" | "placeholder">;
type AmountFieldProps = Readonly<{
  id: string;
  label?: string;
  text: string;
  hints?: Hints;
  change(text: string): void;
}>;

/**
 * A field for an amount in digits of any script. Without the focus, the field shows the number with separators. `hints`
 * are the kind of keyboard on a phone, and the placeholder.
 */
export function AmountField({ id, label, text, hints, change }: AmountFieldProps) {
  const [typed, setTyped] = useState<string>();
  const amount = amountOf(text);
  const shown = typed ?? (amount === undefined ? text : format.value.number(amount, { maximumFractionDigits: 12 }));
  return (
    <input
      id={id}
      aria-label={label}
      inputMode="decimal"
      {...hints}
      autocomplete="off"
      dir="ltr"
      value={shown}
      size={Math.max(6, shown.length)}
      aria-invalid={amountOf(shown) === undefined}
      onInput={({ currentTarget: { value } }) => {
        setTyped(value);
        change(value);
      }}
      onBlur={() => setTyped(undefined)}
    />
  );
}
