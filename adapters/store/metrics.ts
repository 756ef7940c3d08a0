/** One value of a metric. */
export interface Sample {
  /** `_bucket`, `_sum` or `_count` of a histogram. */
  readonly suffix?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A metric with all its samples. */
export interface Family {
  readonly name: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
  readonly samples: readonly Sample[];
}

/** Makes a metric. */
export function family(name: string, type: Family["type"], help: string, samples: readonly Sample[]): Family {
  return { name, type, help, samples };
}

/** Makes a metric of one value, or of none where that is not known. */
export function gauge(name: string, help: string, value: number | undefined): Family {
  return family(name, "gauge", help, value === undefined ? [] : [{ value }]);
}

/** Makes a counter of one value. */
export function counter(name: string, help: string, value: number): Family {
  return family(name, "counter", help, [{ value }]);
}
