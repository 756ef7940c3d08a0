import { h } from "./dom.ts";

/** A choice of a few values, side by side: radio buttons, so that arrow keys and screen readers know them. */
export interface Segmented<Value extends string> {
  /** Unique in the page; the ids of the radio buttons begin with it. */
  readonly name: string;
  readonly label: string;
  /** Each value with its text, in the order shown. */
  readonly options: Readonly<Record<Value, string>>;
  readonly chosen: Value;
  /** Whether the label is for screen readers only. */
  readonly quietLabel?: boolean;
  choose(value: Value): void;
}

/** Draws it. */
export function segmented<Value extends string>({ name, label, options, chosen, quietLabel, choose }: Segmented<Value>): HTMLElement {
  const values: Value[] = [];
  for (const value in options) values.push(value); // unlike Object.keys, this has the type of the keys
  return h(
    "fieldset",
    { class: "segmented" },
    h("legend", { class: quietLabel === true ? "visually-hidden" : undefined }, label),
    h(
      "span",
      { class: "segments" },
      ...values.map((value) =>
        h(
          "label",
          {},
          h("input", { type: "radio", id: `${name}-${value}`, name, value, checked: value === chosen, onchange: () => choose(value) }),
          h("span", {}, options[value]),
        ),
      ),
    ),
  );
}
