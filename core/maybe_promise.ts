// A store in memory answers synchronously, and then so does the whole request: awaiting a value that is already there
// would cost time at each port. Only this module distinguishes values from promises.
import type { MaybePromise } from "./ports.ts";

/** Continues with a value: at once, or when its promise resolves. */
export function after<T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> {
  return isLater(value) ? Promise.resolve(value).then(next) : next(value);
}

/** Like `after`, and passes `input` on, so that `next` need not be a closure made for each request. */
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

/** Whether a value is a promise. Without `instanceof`, as query builders and other realms have their own promises. */
export function isLater<T>(value: MaybePromise<T>): value is Promise<T> {
  return typeof (value as { readonly then?: unknown } | null | undefined)?.then === "function";
}
