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

/** The media type of the text. */
export const EXPOSITION_TYPE = "text/plain; version=0.0.4; charset=utf-8";

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

/** Writes metrics in the text format of Prometheus, version 0.0.4. Metrics without a sample are left out. */
export function expose(families: readonly Family[]): string {
  const lines: string[] = [];
  for (const { name, type, help, samples } of families) {
    if (samples.length === 0) continue;
    lines.push(`# HELP ${name} ${help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}`, `# TYPE ${name} ${type}`);
    for (const { suffix = "", labels = {}, value } of samples) lines.push(`${name}${suffix}${labelText(labels)} ${numberText(value)}`);
  }
  return `${lines.join("\n")}\n`;
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value.replace(/[\\"\n]/g, (character) => (character === "\n" ? "\\n" : `\\${character}`))}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function numberText(value: number): string {
  if (value === Infinity) return "+Inf";
  return value === -Infinity ? "-Inf" : String(value);
}
