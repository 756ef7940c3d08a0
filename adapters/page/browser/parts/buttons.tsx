import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { announce, texts } from "../data/state.ts";
import { COPIED_MS, copyText } from "./copy_text.ts";
import { icon } from "./icons.tsx";

interface ChoiceProps<Value extends string> {
  /** The id of a list, or the prefix of the ids of radio buttons. */
  readonly name: string;
  readonly label: string;
  /** The values in the order shown, each with its text. */
  readonly options: Readonly<Record<Value, ComponentChildren>>;
  readonly chosen: Value;
  choose(value: Value): void;
  /** Whether the label of radio buttons is visible. Default: only for screen readers. */
  readonly isLabelled?: boolean;
}

/** A choice between a few values, as radio buttons, so that arrow keys and screen readers work. */
export function Segmented<Value extends string>({ name, label, options, chosen, ...props }: ChoiceProps<Value>) {
  return (
    <fieldset class="segmented">
      <legend class={props.isLabelled ? "small" : "visually-hidden"}>{label}</legend>
      <span class="segments">
        {(Object.keys(options) as Value[]).map((value) => (
          <label key={value}>
            <input
              type="radio"
              id={`${name}-${value}`}
              name={name}
              value={value}
              checked={value === chosen}
              onChange={() => props.choose(value)}
            />
            <span>{options[value]}</span>
          </label>
        ))}
      </span>
    </fieldset>
  );
}

interface SelectProps<Value extends string> extends Pick<ChoiceProps<Value>, "name" | "label" | "chosen" | "choose"> {
  /** Pairs, because an object would put values such as `7203` first. */
  readonly options: readonly (readonly [value: Value, text: string])[];
}

/** A list of choices, for more values than fit beside each other. */
export function Select<Value extends string>({ name, label, options, chosen, choose }: SelectProps<Value>) {
  return (
    <select
      id={name}
      aria-label={label}
      value={chosen}
      onChange={({ currentTarget }) => choose(currentTarget.value as Value)}
    >
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
}

type CopyButtonProps = Readonly<{ text: string; subject: string; children?: ComponentChildren }>;

/** A button that copies a text and shows whether copying worked. Screen readers hear what is copied: `subject`. */
export function CopyButton({ text, subject, children }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<string>();

  async function copy(): Promise<void> {
    const { copied, copyFailed } = texts.value;
    const reached = (await copyText(text)) ? copied : copyFailed;
    setOutcome(reached);
    announce(reached);
    setTimeout(() => setOutcome(undefined), COPIED_MS);
  }
  return (
    <button class="quiet" aria-label={`${texts.value.copy}: ${subject}`} onClick={() => void copy()}>
      {outcome ?? [icon("copy"), " ", children]}
    </button>
  );
}
