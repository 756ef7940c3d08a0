import type { JewelleryReceipt } from "../../../../core/internal.ts";
import { GOLD_PIECES, goldWorth } from "../../../../core/mod.ts";
import { addressOf } from "../data/addresses.ts";
import { persianWords } from "../data/conversion.ts";
import { serviceName } from "../data/format.ts";
import { changedGold, type GoldFields, otherWages } from "../data/jewellery.ts";
import * as state from "../data/state.ts";
import { CopyButton } from "../parts/buttons.tsx";
import { Card } from "../parts/card.tsx";
import { Menu } from "../parts/menu.tsx";
import { num, UnitSign, useStale } from "../parts/numbers.tsx";
import { ShareButton } from "../parts/share.tsx";
import { TEXTS } from "../texts/built_gold.ts";
import { fill } from "../texts/fill.ts";
import type { GoldScene } from "./gold.tsx";

const GRAM = "GOLD_18_RLS";
const TODAY = ["GOLD_OUNCE_USD", "USD_RLS", GRAM, "GOLD_MESGHAL_RLS"];
const BOUGHT = [GRAM, "SEKKEH_RLS", "NIM_SEKKEH_RLS", "ROB_SEKKEH_RLS"];
const COMPARED = [...BOUGHT, "GERAMI_SEKKEH_RLS"];

/** Writes whole toman in the page's unit, without the name of the unit. */
export function numberOf(toman: number): string {
  return state.format.value.priceNumber(toman * 10, "RLS");
}

function percentOf(percent: number, digits = 4): string {
  return state.format.value.number(percent / 100, { style: "percent", maximumFractionDigits: digits });
}

/** The total with its label and unit, for screen readers and for the copied receipt. */
export function totalText(toman: number): string {
  return `${TEXTS[state.language.value].total}: ${state.format.value.price(toman * 10, "RLS")}`;
}

/** The lines of a receipt: name, calculation, and amount in toman. */
function linesOf({ result }: GoldScene, receipt: JewelleryReceipt) {
  const texts = TEXTS[state.language.value];
  const { number } = state.format.value;
  const { terms, gram18, gram, fineness } = result;
  const grams = `${number(receipt.grams, { maximumFractionDigits: 12 })} ${texts.gramSign}`;
  const { gold, wage, profit, extras, tax } = receipt;
  const { wage: rate, profitPercent, taxPercent } = terms!;
  const fromGram18 = fineness === 750 ? "" : ` (${numberOf(gram18!)} × ${number(fineness!)} / ${number(750)})`;
  // Amounts of 0 are left out of the calculations.
  const plus = (...names: readonly (keyof typeof texts.sums)[]): string => {
    const present = names.filter((name) => receipt[name] > 0);
    return present.map((name) => texts.sums[name]).join(" + ");
  };
  const [taxed, based] = [plus("wage", "profit", "extras"), plus("gold", "wage")];
  const wageSum =
    "percent" in rate ? `${percentOf(rate.percent)} × ${numberOf(gold)}` : `${grams} × ${numberOf(rate.perGram)}`;
  const lines: (readonly [name: string, sum: string, amount: number])[] = [
    [texts.goldValue, `${grams} × ${numberOf(gram!)}${fromGram18}`, gold],
    [texts.wage, wageSum, wage],
    [texts.profit, `${percentOf(profitPercent)} × (${based}) ${numberOf(gold + wage)}`, profit],
    [texts.tax, `${percentOf(taxPercent)} × ${taxed && `(${taxed}) `}${numberOf(wage + profit + extras)}`, tax],
  ];
  return extras > 0 ? lines.toSpliced(3, 0, [texts.extras, "", extras]) : lines;
}

/** The receipt, line by line, so that anyone can check it with a pocket calculator. */
export function Receipt(scene: GoldScene) {
  const texts = TEXTS[state.language.value];
  const format = state.format.value;
  const { receipt, money, left, terms } = scene.result;
  const stale = useStale(state.rows.value.get(GRAM));
  const paid = format.price((money ?? 0) * 10, "RLS");
  if (receipt === undefined) {
    const isTooLittle = money !== undefined && terms !== undefined;
    return (
      <section class="gold-receipt" id="gold-receipt" tabIndex={-1}>
        <p class="none">{isTooLittle ? fill(texts.buysNothing, { money: paid }) : texts.missing}</p>
      </section>
    );
  }
  const { gold, total, totalPerGram, wage, profit, extras, tax } = receipt;
  const isRial = format.amount(1, "RLS") === 1;
  const { unitNames } = state.texts.value;
  const toman = format.number(total);
  const bought = {
    money: paid,
    grams: format.number(receipt.grams),
    total: numberOf(total),
    rest: numberOf(left ?? 0),
  };
  return (
    <section class="gold-receipt" id="gold-receipt" tabIndex={-1} aria-label={texts.receipt}>
      <h2>
        {texts.receipt} <span class="small">{whenText(scene.fields)}</span>
      </h2>
      {money !== undefined && <p>{fill(texts.buys, bought)}</p>}
      <table>
        <tbody>
          {linesOf(scene, receipt).map(([name, sum, amount]) => (
            <tr key={name}>
              <th scope="row">
                {name} <span class="small">{sum}</span>
              </th>
              <td>{num(numberOf(amount))}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div class={stale && scene.fields.gram === undefined ? "gold-total stale" : "gold-total"}>
        <h3>{texts.total}</h3>
        <p>
          <output id="gold-total" aria-live="off">
            <strong>{num(numberOf(total))}</strong> <span class="small">{format.unitName("RLS")}</span>
          </output>
          <br />
          <span class="small">
            {num(isRial ? toman : format.number(total * 10))} {isRial ? unitNames.toman : unitNames.rial}
          </span>
        </p>
      </div>
      {state.language.value === "fa" && (
        <p class="small">
          {persianWords(total)} {unitNames.toman}
        </p>
      )}
      <p class="gold-parts" aria-hidden="true">
        {[gold, wage, profit, extras, tax].map((part, at) => part > 0 && <i key={at} style={{ flexGrow: part }} />)}
      </p>
      <p class="small gold-notes">
        <span>
          {texts.above}: {num(numberOf(total - gold))} ({num(percentOf(((total - gold) / gold) * 100, 1))})
        </span>{" "}
        <span>
          {texts.allIn}: {num(numberOf(totalPerGram))}
        </span>
      </p>
      <Acts {...scene} receipt={receipt} />
      <p class="small">{texts.rounding}</p>
    </section>
  );
}

function Acts(scene: GoldScene & { readonly receipt: JewelleryReceipt }) {
  const texts = TEXTS[state.language.value];
  const page = state.texts.value;
  const { fields, result, receipt } = scene;
  const urlOf = (gram?: string): string => {
    const query = new URLSearchParams(changedGold(fields, { gram }));
    return `${state.baseUrl}/docs${addressOf("gold", undefined, query)}`;
  };
  const shared = { title: page.gold, text: `${pieceText(scene, receipt)}. ${totalText(receipt.total)}` };
  const copied = [
    ...(state.settings.isSample ? [page.sample] : []),
    `${serviceName(state.settings.application, state.language.value)}, ${texts.receipt}, ${whenText(fields)}`,
    pieceText(scene, receipt),
    ...linesOf(scene, receipt).map(([name, sum, amount]) => `${name}: ${sum}${sum && " = "}${numberOf(amount)}`),
    totalText(receipt.total),
    urlOf(fields.gram),
  ];
  return (
    <div class="acts">
      <Menu label={page.share}>
        {() => (
          <>
            <ShareButton {...shared} url={urlOf()} label={texts.withNow} />
            <ShareButton {...shared} url={urlOf(String(result.gram18! * 10))} label={texts.withThis} />
          </>
        )}
      </Menu>
      <CopyButton text={copied.join("\n")} subject={texts.receipt}>
        {texts.copyReceipt}
      </CopyButton>
      <button class="quiet wide-only" onClick={() => print()}>
        {texts.print}
      </button>
    </div>
  );
}

function pieceText({ result }: GoldScene, { grams }: JewelleryReceipt): string {
  const { number } = state.format.value;
  const values = { grams: number(grams, { maximumFractionDigits: 12 }), fineness: number(result.fineness!) };
  return fill(TEXTS[state.language.value].piece, values);
}

/** The time of the gram's price, or a note that the price was typed. */
function whenText({ gram }: GoldFields): string {
  const latest = state.rows.value.get(GRAM);
  if (gram === undefined && latest !== undefined) return state.format.value.dateTimeInZone(latest.businessTime);
  return `${TEXTS[state.language.value].byHand}, ${state.format.value.date(state.now.value)}`;
}

/** Links to the same piece with other wages. */
export function OtherWages({ fields, result }: GoldScene) {
  const { receipt, terms } = result;
  if (receipt === undefined) return null;
  const { otherWage } = TEXTS[state.language.value];
  return (
    <nav class="sheet other-wages" aria-label={otherWage}>
      <span class="small">{otherWage}</span>
      {otherWages(receipt, terms!).map(({ percent, total }) => {
        const same = { grams: String(receipt.grams), pay: undefined, wagePerGram: undefined, wage: String(percent) };
        const isOwn = fields.wagePerGram === undefined && Number(fields.wage) === percent;
        return (
          <a
            key={percent}
            href={addressOf("gold", undefined, changedGold(fields, same))}
            aria-current={isOwn ? "true" : undefined}
          >
            <span class="small">{percentOf(percent)}</span> {num(numberOf(total))}
          </a>
        );
      })}
    </nav>
  );
}

/** Shown beside the receipt: how the piece compares to coins, what else the money buys, and the prices used. */
export function GoldRail({ result }: GoldScene) {
  const texts = TEXTS[state.language.value];
  const { number, priceNumber, time } = state.format.value;
  const rows = state.rows.value;
  const { receipt } = result;
  const priced = (codes: readonly string[]) => codes.flatMap((code) => rows.get(code) ?? []);
  const gram = rows.get(GRAM);
  return (
    <aside class="gold-rail">
      <BesideCoins result={result} />
      {receipt !== undefined && (
        <Card
          title={texts.sameMoney}
          note={numberOf(receipt.total)}
          rows={priced(BOUGHT).map(({ code, value }) => [
            state.nameOfCode(code),
            [number((receipt.total * 10) / value), " ", code === GRAM && texts.gramSign],
          ])}
        />
      )}
      <Card
        title={texts.today}
        note={gram && time(gram.businessTime)}
        rows={priced(TODAY).map(({ code, value }) => [
          state.nameOfCode(code),
          [<UnitSign key="unit" unit={code.slice(-3)} />, num(priceNumber(value, code.slice(-3)))],
        ])}
      />
    </aside>
  );
}

/** How much more the piece and the coins cost than the gold in them: bars on one scale that begins at zero. */
function BesideCoins({ result: { receipt, fineness } }: Pick<GoldScene, "result">) {
  const texts = TEXTS[state.language.value];
  const rows = state.rows.value;
  const [ounce, dollar] = [rows.get("GOLD_OUNCE_USD")?.value, rows.get("USD_RLS")?.value];
  if (!ounce || !dollar || receipt === undefined) return null;
  const own = { code: "", grams: receipt.grams, fineness: fineness! / 1_000 };
  const ratios = [own, ...GOLD_PIECES].flatMap((piece) => {
    const price = piece === own ? receipt.total * 10 : COMPARED.includes(piece.code) && rows.get(piece.code)?.value;
    return price ? [[piece.code, goldWorth(piece, price, { ounce, dollar }).ratio] as const] : [];
  });
  const most = Math.max(0.01, ...ratios.map(([, ratio]) => ratio));
  return (
    <Card
      title={texts.beside}
      note={texts.besideNote}
      rows={ratios.map(([code, ratio]) => [
        code === "" ? texts.thisPiece : state.nameOfCode(code),
        <>
          <i class={code && "coin"} style={{ backgroundSize: `${(Math.max(0, ratio) / most) * 100}% 100%` }} />{" "}
          {num(state.format.value.percent(ratio, 1))}
        </>,
      ])}
    />
  );
}
