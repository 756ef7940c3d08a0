/** Among `length` ascending numbers, the index of the first that is not below `bound`; `length` if there is none. */
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
