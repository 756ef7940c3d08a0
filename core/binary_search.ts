/** The index of the first of some ascending numbers that is not below `bound`; their length if all are below it. */
export function rowFrom(numbers: ArrayLike<number>, bound: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
