// The control of a parameter: a choice, a text with suggestions, a list, or a text. None of them refuses a value.
import type { PageContext } from "../legacy.tsx";
import { h } from "../dom.ts";
import { messagesOf } from "../messages.ts";
import { MESSAGES } from "./messages.ts";
import type { Parameter } from "./operations.ts";

/** Longer lists of values are searched instead of chosen from. */
const MOST_CHOICES = 12;
const PLAIN = { autocomplete: "off", autocapitalize: "off", spellcheck: "false", dir: "ltr" } as const;

/** A parameter with its present value, and what is called with each new one. */
export interface ControlOptions {
  readonly id: string;
  readonly parameter: Parameter;
  readonly value: string;
  readonly describedBy: string;
  readonly context: PageContext;
  change(value: string): void;
}

/** Makes the control; the element with `id` is the one that a label names. */
export function fieldControl(options: ControlOptions): readonly HTMLElement[] {
  const { shape } = options.parameter;
  if (shape.isList) return listControl(options);
  if (shape.values.length > MOST_CHOICES) return searchControl(options);
  return shape.values.length > 0 ? choiceControl(options) : [textControl(options)];
}

function textControl({ id, parameter, value, describedBy, change }: ControlOptions, more: Readonly<Record<string, string>> = {}): HTMLInputElement {
  const input = h("input", { id, type: "text", ...PLAIN, "aria-describedby": describedBy, placeholder: parameter.example, ...more, oninput: () => change(input.value) });
  input.value = value;
  return input;
}

/** A choice, with one entry that leaves the parameter out and one that takes any text. */
function choiceControl(options: ControlOptions): readonly HTMLElement[] {
  const { id, parameter, value, describedBy, change } = options;
  const texts = messagesOf(MESSAGES, options.context.preferences.language);
  const { values } = parameter.shape;
  const isOther = value !== "" && !values.includes(value);
  const other = textControl({ ...options, id: `${id}-other` }, { "aria-label": texts.otherOf(parameter.name) });
  other.hidden = !isOther;
  // Their positions are their values, so that no value of the document can be taken for one of the two further entries.
  const entries = [...values, texts.notSent, texts.otherValue];
  const select = h("select", { id, dir: "ltr", "aria-describedby": describedBy, onchange }, ...entries.map((text, at) => h("option", { value: at }, text)));
  select.selectedIndex = isOther ? values.length + 1 : value === "" ? values.length : values.indexOf(value);

  function onchange(): void {
    other.hidden = select.selectedIndex <= values.length;
    change(other.hidden ? (values[select.selectedIndex] ?? "") : other.value);
    if (!other.hidden) other.focus();
  }
  return [select, other];
}

/** A text with suggestions, found by their value or, for assets, by their name. */
function searchControl(options: ControlOptions): readonly HTMLElement[] {
  const { id, parameter, context } = options;
  const input = textControl(options, { list: `${id}-values` });
  // Suggestions are filtered by the text in the field, so that a field that is left full would suggest nothing else.
  input.addEventListener("focus", () => input.select());
  return [input, suggestions(`${id}-values`, parameter, context)];
}

/** The items with commas between them, and a field that adds one. */
function listControl(options: ControlOptions): readonly HTMLElement[] {
  const { id, parameter, context, change } = options;
  const texts = messagesOf(MESSAGES, context.preferences.language);
  const input = textControl(options);
  if (parameter.shape.values.length === 0) return [input];
  const label = texts.addTo(parameter.name);
  const named = { id: `${id}-add`, class: "ref-adder", list: `${id}-values`, "aria-label": label, placeholder: label };
  const adder = h("input", { ...named, type: "text", ...PLAIN, onchange: add, oninput, onkeydown });

  /** Adds an item, where Enter in another field sends the form. */
  function onkeydown(event: Event): void {
    if (!(event instanceof KeyboardEvent) || event.key !== "Enter") return;
    event.preventDefault();
    add();
  }

  /** A suggestion that was picked comes without the type of input that typing has. */
  function oninput(event: Event): void {
    const isPicked = !(event instanceof InputEvent) || event.inputType === "insertReplacementText";
    if (isPicked && parameter.shape.values.includes(adder.value)) add();
  }

  function add(): void {
    const item = adder.value.trim();
    adder.value = "";
    if (item === "") return;
    input.value = input.value.trim() === "" ? item : `${input.value},${item}`;
    change(input.value);
    adder.focus();
  }
  return [input, adder, suggestions(`${id}-values`, parameter, context)];
}

function suggestions(id: string, { shape }: Parameter, { settings, preferences }: PageContext): HTMLElement {
  const labels = new Map(settings.assets.map(({ code, labelEn, labelFa }) => [code, preferences.language === "fa" ? labelFa : labelEn]));
  return h("datalist", { id }, ...shape.values.map((value) => h("option", { value }, labels.get(value) ?? "")));
}
