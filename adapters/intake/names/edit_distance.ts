/** The number of letters to insert, remove or change to turn one text into the other. */
export function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [above, letter] of [...one].entries()) {
    const next = [above + 1];
    for (let at = 0; at < other.length; at++) {
      next.push(Math.min(row[at]! + (letter === other[at] ? 0 : 1), row[at + 1]! + 1, next[at]! + 1));
    }
    row = next;
  }
  return row[other.length]!;
}
