/** A metric, parsed from text. */
export interface ReadMetric {
  readonly type: string;
  /** Values by series, e.g. `requests_total{route="/x"}`. */
  readonly series: ReadonlyMap<string, number>;
}

const HEADER = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/;
const SAMPLE =
  /^([a-zA-Z_:][a-zA-Z0-9_:]*)(\{(?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*",?)*\})? (NaN|[+-]?Inf|[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/;
const SUFFIXES: Readonly<Record<string, readonly string[]>> = {
  counter: [""],
  gauge: [""],
  histogram: ["_bucket", "_sum", "_count"],
};

/**
 * Parses the text format 0.0.4. Throws if the help or type of a metric does not precede its samples, if its samples do
 * not follow each other, if a series appears twice, if a counter lacks `_total`, or if a histogram is wrong.
 */
export function readExposition(text: string): ReadonlyMap<string, ReadMetric> {
  if (!text.endsWith("\n")) throw new Error("The last line has no line feed");
  const metrics = new Map<string, { type: string; series: Map<string, number> }>();
  let helped = "";
  let current = "";
  for (const line of text.slice(0, -1).split("\n")) {
    const [, kind, named = "", rest = ""] = HEADER.exec(line) ?? [];
    if (kind === "HELP") {
      helped = named;
    } else if (kind === "TYPE") {
      if (named !== helped || metrics.has(named) || !(rest in SUFFIXES)) throw new Error(`Unexpected: ${line}`);
      if (rest === "counter" && !named.endsWith("_total")) throw new Error(`A counter without _total: ${line}`);
      metrics.set((current = named), { type: rest, series: new Map() });
    } else {
      const [, name = "", labels = "", value = ""] = SAMPLE.exec(line) ?? [];
      const metric = metrics.get(current);
      if (!metric || !SUFFIXES[metric.type]!.some((suffix) => name === current + suffix))
        throw new Error(`Unexpected: ${line}`);
      if (metric.series.has(name + labels)) throw new Error(`Twice: ${line}`);
      metric.series.set(name + labels, Number(value.replace("Inf", "Infinity")));
    }
  }
  for (const [name, { type, series }] of metrics) if (type === "histogram") checkHistogram(name, series);
  return metrics;
}

function checkHistogram(name: string, series: ReadonlyMap<string, number>): void {
  const last = new Map<string, number>();
  for (const [key, value] of series) {
    if (!key.startsWith(`${name}_bucket`)) continue;
    const labels = key.slice(`${name}_bucket`.length).replace(/,?le="[^"]*"/, "");
    if (value < (last.get(labels) ?? 0)) throw new Error(`Buckets descend: ${key}`);
    last.set(labels, value);
    if (key.includes('le="+Inf"') && value !== series.get(`${name}_count${labels}`))
      throw new Error(`Count differs: ${key}`);
  }
}
