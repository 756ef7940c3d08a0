/** `true` if both types are identical. Types that are only assignable to each other give `false`. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** A call without an argument compiles only if both types are identical. */
export function same<Actual, Wanted>(
  ..._reason: Same<Actual, Wanted> extends true ? [] : ["these types differ"]
): void {}

/** Compiles if the value has the type. */
export function is<Wanted>(_value: Wanted): void {}
