// Changes of values from day to day.

/** A value of a day, as far as changes need it. */
export interface DayValue {
  readonly value: number;
  /** ISO 8601. */
  readonly businessTime: string;
}

/** Each value with its change against the one before it, newest first; the earliest has none. `days` ascending. */
export function withChanges<Day extends DayValue>(days: readonly Day[]): { readonly day: Day; readonly change: number | undefined }[] {
  return days
    .map((day, index) => {
      const before = days[index - 1];
      return { day, change: before === undefined ? undefined : day.value / before.value - 1 };
    })
    .reverse();
}
