/** The index of the first of `length` ascending numbers that is not below `bound`; `length` if all are below it. */
export function rowFrom(numbers: ArrayLike<number>, bound: number, length = numbers.length): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
