import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { KARAT_FINENESS } from "../../../../core/internal.ts";
import { addressOf, type Place } from "../data/addresses.ts";
import { amountOf } from "../data/conversion.ts";
import { readStored, writeStored } from "../data/device.ts";
import { calculateGold, changedGold, type FieldChanges, type GoldFields, parseGold } from "../data/jewellery.ts";
import * as state from "../data/state.ts";
import { Segmented } from "../parts/buttons.tsx";
import { AmountField } from "../parts/fields.tsx";
import { GoldLinks } from "../parts/gold_links.tsx";
import { icon } from "../parts/icons.tsx";
import { Age, num, useStale } from "../parts/numbers.tsx";
import { TEXTS } from "../texts/built_gold.ts";
import { fill } from "../texts/fill.ts";
import { GoldRail, numberOf, OtherWages, Receipt, totalText } from "./gold_receipt.tsx";

/** The data that all parts of the calculator share. */
export interface GoldScene {
  readonly fields: GoldFields;
  readonly result: ReturnType<typeof calculateGold>;
  change(change: FieldChanges): void;
}

const GRAM = "GOLD_18_RLS";
/** The next field, for Enter and the "next" key of a phone. After fields that are not listed, the receipt is next. */
const NEXT: Readonly<Record<string, "wage" | "profit" | "tax">> = {
  grams: "wage",
  pay: "wage",
  fineness: "wage",
  gram: "wage",
  wage: "profit",
  profit: "tax",
};
/** How long typing must pause before screen readers announce the total. */
const PAUSE_MS = 600;

/** The jeweller's calculator: `#/gold?grams=5.24&karat=18&wage=17&profit=7&tax=10`. */
export function View({ query }: Pick<Place, "query">) {
  const fields = parseGold(query, readStored("goldRates") ?? {});
  const result = calculateGold(fields, state.rows.value.get(GRAM)?.value);
  const scene: GoldScene = {
    fields,
    result,
    change(change) {
      const next = changedGold(fields, change);
      if ("profit" in change || "tax" in change) writeStored("goldRates", { profit: next.profit, tax: next.tax });
      state.replaceAddress(addressOf("gold", undefined, next));
    },
  };
  const said = result.receipt && totalText(result.receipt.total);
  useEffect(() => {
    const pause = said === undefined ? undefined : setTimeout(() => state.announce(said), PAUSE_MS);
    return () => clearTimeout(pause);
  }, [said]);
  useEffect(liftBar, []);
  return (
    <div class="gold">
      <h1 class="visually-hidden">{state.texts.value.gold}</h1>
      <GoldLinks />
      <div class="sheet gold-sheet">
        <Fields {...scene} />
        <Receipt {...scene} />
      </div>
      <OtherWages {...scene} />
      <GoldRail {...scene} />
    </div>
  );
}

/** On phones, keeps the page's bottom bar visible in browsers whose number pad covers it. */
function liftBar(): () => void {
  const { visualViewport: shown } = window;
  const lift = (): void => {
    const hidden = shown === null ? 0 : innerHeight - shown.height - shown.offsetTop;
    document.documentElement.style.setProperty("--keyboard", `${Math.max(0, hidden)}px`);
  };
  shown?.addEventListener("resize", lift);
  return () => shown?.removeEventListener("resize", lift);
}

function Fields(scene: GoldScene) {
  const { fields, result, change } = scene;
  const texts = TEXTS[state.language.value];
  const format = state.format.value;
  const [typing, setTyping] = useState("");
  const money = format.unitName("RLS");
  const isBackwards = fields.pay !== undefined;
  const { receipt } = result;
  const gram = result.gram18 === undefined ? "" : String(result.gram18 * 10);

  function turn(to: "price" | "pay"): void {
    if (to === "pay") change({ grams: undefined, pay: String((receipt?.total ?? 0) * 10) });
    else change({ pay: undefined, grams: String(receipt?.grams ?? 1) });
  }

  const next = NEXT[typing];
  function goToNext(): void {
    const target = document.getElementById(`gold-${next ?? "receipt"}`)!;
    target.focus();
    target.scrollIntoView({ block: next === undefined ? "start" : "nearest" });
  }

  // Not the form's own submission: Safari does not submit if the button is hidden, as it is on wide screens.
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    goToNext();
  }

  const field = (name: keyof GoldFields, label: string, unit: string, more: Partial<NumberFieldProps> = {}) => (
    <NumberField
      name={name}
      label={label}
      unit={unit}
      isMoney={unit === money}
      value={fields[name]}
      change={(typed) => change({ [name]: typed })}
      {...more}
    />
  );
  const amount = receipt && (isBackwards ? format.number(receipt.grams) : numberOf(receipt.total));
  return (
    <form
      class="gold-fields"
      noValidate
      onKeyDown={onKeyDown}
      onFocusIn={({ target }) =>
        setTyping(target instanceof HTMLInputElement && target.type === "text" ? target.id.replace("gold-", "") : "")
      }
      onFocusOut={() => setTyping("")}
    >
      <Segmented
        name="gold-direction"
        label={texts.direction}
        options={texts.directions}
        chosen={isBackwards ? "pay" : "price"}
        choose={turn}
      />
      {isBackwards ? field("pay", texts.amount, money) : field("grams", texts.weight, texts.gramSign)}
      <Karats {...scene} />
      {fields.fineness !== undefined && field("fineness", texts.fineness, format.number(1_000, { useGrouping: false }))}
      {field("gram", texts.gram, money, { value: gram, note: <Origin {...scene} /> })}
      <Wage {...scene} />
      <div class="gold-pair">
        {field("profit", texts.profit, texts.percentSign)}
        {field("tax", texts.tax, texts.percentSign)}
      </div>
      <details open={fields.extras !== undefined && fields.extras !== "0"}>
        <summary class="small">
          {icon("plus")} {texts.extras}
        </summary>
        {field("extras", texts.extras, money)}
      </details>
      <p class="gold-bar">
        <span>
          <span class="small">
            {isBackwards ? `${texts.directions.pay} · ${texts.gramSign}` : `${texts.total} · ${money}`}
          </span>
          <strong>{num(amount || "—")}</strong>
        </span>
        <button
          type="button"
          class="primary"
          onPointerDown={(event) => event.preventDefault()} // keeps the focus, which decides the next field
          onClick={goToNext}
        >
          {next === undefined ? texts.receipt : fill(texts.next, { field: texts[next] })}
        </button>
      </p>
    </form>
  );
}

interface NumberFieldProps extends Readonly<Record<"name" | "label", string>> {
  /** The note is beside the label, the unit inside the field. */
  readonly note?: ComponentChildren;
  readonly unit: ComponentChildren;
  /** Whether the value is money: in rial in the address, and shown in the page's unit. */
  readonly isMoney: boolean;
  readonly value: string | undefined;
  change(text: string): void;
}

function NumberField({ name, label, note, unit, isMoney, value = "", change }: NumberFieldProps) {
  const rial = 1 / (isMoney ? state.format.value.amount(1, "RLS") : 1);
  const amount = amountOf(value);
  const take = (typed: string): void => {
    const number = amountOf(typed) ?? "";
    change(String(isMoney && number !== "" ? Math.round(number * rial) : number));
  };
  const placeholder = name === "gram" ? TEXTS[state.language.value].typeGram : undefined;
  return (
    <div class="gold-field">
      <label for={`gold-${name}`}>{label}</label> {note}
      <span class="gold-box">
        <AmountField
          id={`gold-${name}`}
          text={amount === undefined ? "" : String(amount / rial)}
          hints={{ inputMode: isMoney ? "numeric" : "decimal", enterKeyHint: "next", placeholder }}
          change={take}
        />
        <span class="small">{unit}</span>
      </span>
    </div>
  );
}

/** The source and age of the gram's price and, for a typed price, a button back to the market's price. */
function Origin({ fields, change }: GoldScene) {
  const texts = TEXTS[state.language.value];
  const latest = state.rows.value.get(GRAM);
  const stale = useStale(latest);
  if (fields.gram !== undefined)
    return (
      <span class="small">
        {texts.byHand}{" "}
        {latest && (
          <button type="button" id="gold-back" class="quiet" onClick={() => change({ gram: undefined })}>
            {texts.back}
          </button>
        )}
      </span>
    );
  if (latest === undefined) return null;
  return (
    <span class={stale ? "small stale-age" : "small"}>
      {stale ? icon("clock") : <span class="dot" />}{" "}
      {stale ? <Age latest={latest} /> : fill(texts.market, { time: state.format.value.time(latest.businessTime) })}
    </span>
  );
}

function Karats({ fields, result, change }: GoldScene) {
  const texts = TEXTS[state.language.value];
  const number = (value: number): string => state.format.value.number(value, { useGrouping: false });
  const options: Record<string, ComponentChildren> = { other: <strong>{texts.other}</strong> };
  for (const [karat, fineness] of Object.entries(KARAT_FINENESS))
    options[karat] = (
      <>
        <strong>{number(Number(karat))}</strong> <small>{number(fineness)}</small>
      </>
    );
  const other = { karat: undefined, fineness: String(result.fineness) };
  return (
    <div class="karats">
      <Segmented
        name="gold-karat"
        isLabelled
        label={texts.karat}
        options={options}
        chosen={fields.fineness === undefined ? String(result.karat) : "other"}
        choose={(karat) => change(karat === "other" ? other : { karat, fineness: undefined })}
      />
    </div>
  );
}

/** The wage in percent or money. A new unit only converts the displayed wage; a new amount changes the total. */
function Wage({ fields, result, change }: GoldScene) {
  const texts = TEXTS[state.language.value];
  const [unit, setUnit] = useState<string>(fields.wagePerGram === undefined ? "percent" : "perGram");
  const isMoney = unit === "perGram";
  const { percent, perGram } = result.wage;
  const perGramText = fill(texts.perGram, { unit: state.format.value.unitName("RLS") });
  const options = { percent: texts.percentSign, perGram: perGramText };
  const value = isMoney ? perGram && perGram * 10 : percent;
  return (
    <NumberField
      key={unit}
      name="wage"
      label={texts.wage}
      unit={<Segmented name="gold-wage-unit" label={texts.wageUnit} options={options} chosen={unit} choose={setUnit} />}
      isMoney={isMoney}
      value={value === undefined ? "" : String(value)}
      change={(typed) => change({ wage: undefined, wagePerGram: undefined, [isMoney ? "wagePerGram" : "wage"]: typed })}
    />
  );
}
