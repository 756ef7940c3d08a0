// A store in memory answers at once, and then the whole request is answered in one go: awaiting what is there
// already would cost a turn of the event loop for each port. This is the one place that knows the difference.
import type { MaybePromise } from "./ports.ts";

/** Goes on with a value: at once where it is there, later where it is a promise. */
export function after<T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> {
  return isLater(value) ? Promise.resolve(value).then(next) : next(value);
}

/** As `after`, with a `context` that is handed on: `next` then is a function made once, and not one made for each request. */
export function afterWith<T, U, C>(context: C, value: MaybePromise<T>, next: (context: C, value: T) => MaybePromise<U>): MaybePromise<U> {
  return isLater(value) ? Promise.resolve(value).then((late) => next(context, late)) : next(context, value);
}

/** Does what may throw at once or reject later, and recovers from both in the same way. */
export function attemptWith<T, C>(
  context: C,
  act: (context: C) => MaybePromise<T>,
  recover: (context: C, error: unknown) => T,
): MaybePromise<T> {
  try {
    const value = act(context);
    return isLater(value) ? Promise.resolve(value).catch((error: unknown) => recover(context, error)) : value;
  } catch (error) {
    return recover(context, error);
  }
}

/** Whether a value is still to come. Not `instanceof`: promises of query builders, and of other realms, are of other classes. */
export function isLater<T>(value: MaybePromise<T>): value is Promise<T> {
  return typeof (value as { readonly then?: unknown } | null | undefined)?.then === "function";
}
