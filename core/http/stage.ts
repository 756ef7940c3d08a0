import { isLater } from "../async.ts";
import type { MaybePromise } from "../ports.ts";
import type { ApiResponse } from "./messages.ts";

/** A stage returns what the next one needs, or the response that ends the exchange, which alone has a status. */
export type Stage<Next> = (Next & { readonly status?: undefined }) | ApiResponse;

/** Calls the next stage, unless a stage before has ended the exchange with a response. */
export function next<From extends object, To>(
  stage: MaybePromise<Stage<From>>,
  call: (from: From) => MaybePromise<To | ApiResponse>,
): MaybePromise<To | ApiResponse> {
  if (isLater(stage)) return Promise.resolve(stage).then((settled) => next(settled, call));
  return stage.status === undefined ? call(stage) : stage;
}
