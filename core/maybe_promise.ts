// A store in memory answers at once, and then the whole request is answered without a promise: awaiting a value that
// is already there would cost a turn of the event loop at each port. Only this module knows the difference.
import type { MaybePromise } from "./ports.ts";

/** Continues with a value: at once where it is there, later where it is a promise. */
export function after<T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> {
  return isLater(value) ? Promise.resolve(value).then(next) : next(value);
}

/** As `after`, with an `input` that is handed on, so that `next` need not be a function made for each request. */
export function afterWith<T, U, Input>(
  input: Input,
  value: MaybePromise<T>,
  next: (input: Input, value: T) => MaybePromise<U>,
): MaybePromise<U> {
  return isLater(value) ? Promise.resolve(value).then((late) => next(input, late)) : next(input, value);
}

/** Calls `act`, which may throw at once or reject later, and recovers from both in the same way. `input` is handed to both. */
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

/** Whether a value is a promise. Not `instanceof`: promises of query builders, and of other realms, have other classes. */
export function isLater<T>(value: MaybePromise<T>): value is Promise<T> {
  return typeof (value as { readonly then?: unknown } | null | undefined)?.then === "function";
}
