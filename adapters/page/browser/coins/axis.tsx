import { usePage } from "../context.ts";
import { latestValues } from "../convert/convert.ts";
import { waysToDollar } from "../convert/dollars.ts";
import { CONVERT } from "../convert/messages.ts";

const [WIDTH, LINE] = [560, 96];

/** All dollars on one axis: cash, and what a dollar costs by other ways. */
export function DollarAxis() {
  const { preferences: { language }, market, format } = usePage();
  const texts = CONVERT[language];
  const ways = waysToDollar(latestValues(market.rows)).toSorted((one, other) => one.dollar - other.dollar);
  if (ways.length < 2) return null;
  const [low, high] = [ways[0]!.dollar, ways.at(-1)!.dollar];
  const x = (dollar: number): number => Math.round((40 + ((dollar - low) / (high - low || 1)) * (WIDTH - 100)) * 10) / 10;
  const price = (dollar: number): string => format.priceNumber(Math.round(dollar), "RLS");
  // A label that would stand in another's way goes to a line above.
  const ends = [-Infinity, -Infinity, -Infinity];
  const labels = ways.map((way) => {
    const at = x(way.dollar);
    const half = Math.max(24, texts.ways[way.code].length * 3.4);
    const level = Math.max(0, ends.findIndex((end) => end < at - half));
    ends[level] = at + half;
    return { ...way, at, level };
  });
  return (
    <section class="sheet card">
      <h2>{texts.byWay} <span class="small">{format.unitName("RLS")}</span></h2>
      <svg class="dollar-axis" viewBox={`0 0 ${WIDTH} 140`} role="img" aria-label={ways.map(({ code, dollar }) => `${texts.ways[code]} ${price(dollar)}`).join(", ")}>
        <path class="axis" d={`M0 ${LINE}H${WIDTH}`} />
        {labels.map(({ code, dollar, ratio, at, level: up }) => (
          <g key={code} class={code === "USD_RLS" ? "cash" : undefined}>
            {up > 0 && <path class="stem" d={`M${at} ${LINE}V${LINE - 6 - up * 30}`} />}
            <circle cx={at} cy={LINE} r="4.5" />
            <text x={at} y={LINE - 24 - up * 30} text-anchor={anchorOf(at)}>{texts.ways[code]}</text>
            <text class="value" x={at} y={LINE - 11 - up * 30} text-anchor={anchorOf(at)}>{code === "USD_RLS" ? price(dollar) : format.percent(ratio)}</text>
          </g>
        ))}
        <text x={x(low)} y={LINE + 22} text-anchor="start">{price(low)}</text>
        <text x={x(high)} y={LINE + 22} text-anchor="end">{price(high)}</text>
      </svg>
    </section>
  );
}

/** Where a label stands about its point, so that none is cut at the edge. */
function anchorOf(at: number): "start" | "middle" | "end" {
  return at > WIDTH - 70 ? "end" : at < 50 ? "start" : "middle";
}
