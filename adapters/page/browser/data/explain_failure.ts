import { TEXTS } from "../texts/built_failures.ts";
import { fill } from "../texts/fill.ts";
import type { CallFailure } from "./failures.ts";
import type { Format } from "./format.ts";
import type { Language } from "./preferences.ts";

type Around = Readonly<{ language: Language; format: Format; limit: number | undefined; now: number }>;

/**
 * Explains a failure to people: what happened, what to do next, and whether another key or a retry would help. `limit`
 * are the units of a day.
 */
export function explain(failure: CallFailure, { language, format, limit = 0, now }: Around) {
  const { status, code = "" } = failure;
  const kind = KINDS[code] ?? (status ? (KINDS[status] ?? (status >= 500 ? "broken" : "refused")) : "network");
  const { failures, advice, newUnits } = TEXTS[language];
  const { number, dateTimeInZone, utcTime } = format;
  let text: string = advice[kind];
  if (failure.resetsAt !== undefined) {
    const minutes = Math.max(0, Math.ceil((failure.resetsAt.getTime() - now) / 60_000));
    const wait = { hours: number(Math.floor(minutes / 60)), minutes: number(minutes % 60) };
    const at = { time: dateTimeInZone(failure.resetsAt), utc: utcTime(failure.resetsAt) };
    text = `${fill(newUnits, { ...wait, ...at })} ${text}`;
  }
  return {
    title: fill(failures[kind], { limit: number(limit) }),
    text,
    wantsKey: kind === "noKey" || kind === "wrongKey" || kind === "quota",
    mayPass: !LASTING.has(kind),
  };
}

/** Failures that a retry would only repeat. */
const LASTING: ReadonlySet<string> = new Set(["noKey", "wrongKey", "restricted", "notFound", "quota", "refused"]);

/** The kinds of failures, by error code or, if the code has no entry, by status. */
const KINDS: Readonly<Record<string, keyof (typeof TEXTS)["en"]["failures"]>> = {
  FILE_NOT_LOADED: "file",
  API_KEY_MISSING: "noKey",
  RATE_LIMITED: "tooFast",
  UNEXPECTED_ANSWER: "stranger",
  401: "wrongKey",
  403: "restricted",
  404: "notFound",
  408: "network",
  429: "quota",
  503: "busy",
};
