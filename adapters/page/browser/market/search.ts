import { fold } from "../../../../core/internal.ts";

/**
 * Makes the test for a query: every word occurs in the folded text, or the whole does without its spaces, as in `usdrls`.
 * Pairs may be written as exchanges do: `BTC/USDT`, `USDTIRT`.
 */
export function matcher(query: string): (folded: string) => boolean {
  const words = fold(query).replace(/(?<=.)usdt$/, "usd").replace(/(?<=.)(?:irt|tmn)$/, "rls").split(" ");
  const joined = words.join("");
  return (folded) => words.every((word) => folded.includes(word)) || folded.replaceAll(" ", "").includes(joined);
}
