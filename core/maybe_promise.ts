// If the ports are synchronous, so are cached answers, because each await would take time.
// Only this module checks whether something is a value or a promise.
import type { MaybePromise } from "./ports.ts";

/** Calls `next` with a value at once, or with the result of a promise when the promise resolves. */
export function after<T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> {
  return isLater(value) ? Promise.resolve(value).then(next) : next(value);
}

/** Like `after`, but also passes `input` to `next`, so that no request needs a closure. */
export function afterWith<T, U, Input>(
  input: Input,
  value: MaybePromise<T>,
  next: (input: Input, value: T) => MaybePromise<U>,
): MaybePromise<U> {
  return isLater(value) ? Promise.resolve(value).then((late) => next(input, late)) : next(input, value);
}

/** Calls `act` and recovers if it throws or rejects. Both functions get `input`. */
export function attempt<T, Input>(
  input: Input,
  act: (input: Input) => MaybePromise<T>,
  recover: (input: Input, error: unknown) => MaybePromise<T>,
): MaybePromise<T> {
  try {
    const value = act(input);
    return isLater(value) ? Promise.resolve(value).catch((error: unknown) => recover(input, error)) : value;
  } catch (error) {
    return recover(input, error);
  }
}

/** Whether a value is a promise. `instanceof` would miss the promises of query builders and of other realms. */
export function isLater<T>(value: MaybePromise<T>): value is Promise<T> {
  return typeof (value as { readonly then?: unknown } | null | undefined)?.then === "function";
}
