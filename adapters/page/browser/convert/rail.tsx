import { usePage } from "../context.ts";
import { ConverterCard, DollarByWay } from "./card.tsx";

/** The converter, filled in with the asset that is shown, and the dollar by other ways. */
export function Rail() {
  const { place, market } = usePage();
  const code = place.view === "asset" ? place.id! : "USD_RLS";
  return <>{market.rows.has(code) && code !== "STOCK_IR" && <ConverterCard key={code} id="rail" from={code} />}<DollarByWay /></>;
}
