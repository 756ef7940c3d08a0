// Changes of values from day to day.

/** A value of a day, as far as changes need it. */
export interface DayValue {
  readonly value: number;
  /** ISO 8601. */
  readonly businessTime: string;
}

/** The last value of a day before the latest one; `undefined` if there is none. `days` ascending. */
export function valueBefore<Day extends DayValue>(latest: DayValue, days: readonly Day[], dayOf: (time: string) => string): Day | undefined {
  const today = dayOf(latest.businessTime);
  return days.findLast(({ businessTime }) => dayOf(businessTime) < today);
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
