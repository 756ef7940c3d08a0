import type { Family } from "../../stores/shared/metric_types.ts";

/** The media type of the text. */
export const EXPOSITION_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** Writes metrics in the text format of Prometheus, version 0.0.4. Metrics without samples are left out. */
export function expose(families: readonly Family[]): string {
  const lines: string[] = [];
  for (const { name, type, help, samples } of families) {
    if (samples.length === 0) continue;
    lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`);
    for (const { suffix = "", labels = {}, value } of samples)
      lines.push(`${name}${suffix}${labelText(labels)} ${value}`);
  }
  return `${lines.join("\n")}\n`;
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const escape = (character: string): string => (character === "\n" ? "\\n" : `\\${character}`);
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value.replace(/[\\"\n]/g, escape)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}
