import { PriceError } from "../../../../core/client_entry.ts";
import type { QuotaExceeded } from "../../../client/mod.ts";
import { TEXTS } from "../texts/built_page.ts";
import { fill } from "../texts/fill.ts";
import type { Format } from "./format.ts";
import type { Language } from "./preferences.ts";

/** What is known of a call that failed: what its answer told, or of a network failure only the message. */
export type CallFailure = Pick<PriceError, "message"> & {
  readonly [Name in "status" | "code" | "requestId" | "resetsAt"]?: QuotaExceeded[Name] | undefined;
};

/** Reads what a call has thrown. */
export function failureOf(thrown: unknown): CallFailure {
  return thrown instanceof PriceError ? thrown : { message: String(thrown) };
}

/** A failure in words for people: what happened, what to do next, and whether another key would help. */
export function explain(failure: CallFailure, language: Language, format: Format) {
  const { status, code = "" } = failure;
  const kind = KINDS[code] ?? (status ? (KINDS[status] ?? (status >= 500 ? "broken" : "refused")) : "network");
  const { failures, advice, resets } = TEXTS[language];
  const again =
    failure.resetsAt === undefined ? "" : `${fill(resets, { time: format.dateTimeInZone(failure.resetsAt) })} `;
  return {
    title: failures[kind],
    text: `${again}${advice[kind]}`,
    wantsKey: kind === "noKey" || kind === "wrongKey" || kind === "quota",
  };
}

/** By code, which says more, and by status. */
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
