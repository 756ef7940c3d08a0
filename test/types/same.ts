/** `true` for two types that are one and the same, not only assignable to each other. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles without an argument when both types are the same; else it wants one that cannot be given. */
export function same<Actual, Wanted>(
  ..._reason: Same<Actual, Wanted> extends true ? [] : ["these types differ"]
): void {}

/** Compiles when the value has the type. */
export function is<Wanted>(_value: Wanted): void {}
