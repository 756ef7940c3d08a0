// The control of a parameter: a choice, a text with suggestions, a list, or a text. None of them refuses a value.
import { useRef, useState } from "preact/hooks";
import { usePage } from "../context.ts";
import { MESSAGES } from "./messages.ts";
import type { Parameter } from "./operations.ts";

/** Longer lists of values are searched instead of chosen from. */
const MOST_CHOICES = 12;
const PLAIN = { type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: false, dir: "ltr" } as const;

/** A parameter with its present value, and what is called with each new one. */
export interface ControlProps {
  readonly id: string;
  readonly parameter: Parameter;
  readonly value: string;
  readonly describedBy: string;
  change(value: string): void;
}

/** The control; the element with `id` is the one that a label names. */
export function FieldControl(props: ControlProps) {
  const { shape } = props.parameter;
  if (shape.isList) return <ListControl {...props} />;
  if (shape.values.length > MOST_CHOICES) return <SearchControl {...props} />;
  return shape.values.length > 0 ? <ChoiceControl {...props} /> : <TextControl {...props} />;
}

function TextControl({ id, parameter, value, describedBy, change, ...more }: ControlProps & Readonly<Record<string, unknown>>) {
  const onInput = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }): void => change(currentTarget.value);
  return <input id={id} {...PLAIN} aria-describedby={describedBy} placeholder={parameter.example} value={value} onInput={onInput} {...more} />;
}

/** A choice, with one entry that leaves the parameter out and one that takes any text. */
function ChoiceControl({ id, parameter, value, describedBy, change }: ControlProps) {
  const { preferences } = usePage();
  const texts = MESSAGES[preferences.language];
  const { values } = parameter.shape;
  const [isOther, setOther] = useState(value !== "" && !values.includes(value));
  // Their positions are their values, so that no value of the document can be taken for one of the two further entries.
  const entries = [...values, texts.notSent, texts.otherValue];
  const selected = isOther || (value !== "" && !values.includes(value)) ? values.length + 1 : value === "" ? values.length : values.indexOf(value);

  function choose(at: number): void {
    setOther(at > values.length);
    if (at <= values.length) return change(values[at] ?? "");
    requestAnimationFrame(() => document.getElementById(`${id}-other`)?.focus());
  }
  return (
    <>
      <select id={id} dir="ltr" aria-describedby={describedBy} value={selected} onChange={({ currentTarget }) => choose(currentTarget.selectedIndex)}>
        {entries.map((text, at) => <option value={at}>{text}</option>)}
      </select>
      {selected > values.length && (
        <TextControl id={`${id}-other`} parameter={parameter} value={value} describedBy={describedBy} change={change} aria-label={texts.otherOf(parameter.name)} />
      )}
    </>
  );
}

/** A text with suggestions, found by their value or, for assets, by their name. */
function SearchControl(props: ControlProps) {
  // Suggestions are filtered by the text in the field, so that a field that is left full would suggest nothing else.
  const onFocus = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }): void => currentTarget.select();
  return <><TextControl {...props} list={`${props.id}-values`} onFocus={onFocus} /><Suggestions id={`${props.id}-values`} parameter={props.parameter} /></>;
}

/** The items with commas between them, and a field that adds one. */
function ListControl(props: ControlProps) {
  const { id, parameter, value, change } = props;
  const { preferences } = usePage();
  const adder = useRef<HTMLInputElement>(null);
  if (parameter.shape.values.length === 0) return <TextControl {...props} />;
  const label = MESSAGES[preferences.language].addTo(parameter.name);

  function add(): void {
    const item = adder.current!.value.trim();
    adder.current!.value = "";
    if (item === "") return;
    change(value.trim() === "" ? item : `${value},${item}`);
    adder.current!.focus();
  }

  /** Adds an item, where Enter in another field sends the form. */
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== "Enter") return;
    event.preventDefault();
    add();
  }

  /** A suggestion that was picked comes without the type of input that typing has. */
  function onInput(event: Event): void {
    const isPicked = !(event instanceof InputEvent) || event.inputType === "insertReplacementText";
    if (isPicked && parameter.shape.values.includes(adder.current!.value)) add();
  }
  return (
    <>
      <TextControl {...props} />
      <input
        id={`${id}-add`} ref={adder} class="ref-adder" list={`${id}-values`} aria-label={label} placeholder={label} {...PLAIN}
        onChange={add} onInput={onInput} onKeyDown={onKeyDown}
      />
      <Suggestions id={`${id}-values`} parameter={parameter} />
    </>
  );
}

function Suggestions({ id, parameter: { shape } }: { readonly id: string; readonly parameter: Parameter }) {
  const { settings, preferences } = usePage();
  const labels = new Map(settings.assets.map(({ code, labelEn, labelFa }) => [code, preferences.language === "fa" ? labelFa : labelEn]));
  return <datalist id={id}>{shape.values.map((value) => <option value={value}>{labels.get(value) ?? ""}</option>)}</datalist>;
}
