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

/** Makes a metric from one value or from samples. If the value is unknown, the metric has no samples. */
export function gauge(name: string, help: string, value: number | readonly Sample[] | undefined): Family {
  return { name, type: "gauge", help, samples: samplesOf(value) };
}

/** Makes a counter with one value or with samples. */
export function counter(name: string, help: string, value: number | readonly Sample[]): Family {
  return { name, type: "counter", help, samples: samplesOf(value) };
}

function samplesOf(value: number | readonly Sample[] | undefined): readonly Sample[] {
  return typeof value === "number" ? [{ value }] : (value ?? []);
}
