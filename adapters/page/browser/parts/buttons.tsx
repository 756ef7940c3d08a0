import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { announce, texts } from "../data/state.ts";
import { COPIED_MS, copyText } from "./copy_text.ts";
import { Icon } from "./icons.tsx";

interface SegmentedProps<Value extends string> {
  /** A prefix for the radio buttons' ids, unique on the page. */
  readonly name: string;
  /** Whether the label is visible. Default: only for screen readers. */
  readonly isLabelled?: boolean;
  readonly label: string;
  /** The values in the order shown, each with its text. */
  readonly options: Readonly<Record<Value, ComponentChildren>>;
  readonly chosen: Value;
  choose(value: Value): void;
}

/** A choice between a few values, as radio buttons, so that arrow keys and screen readers work. */
export function Segmented<Value extends string>({
  name,
  label,
  options,
  chosen,
  isLabelled = false,
  choose,
}: SegmentedProps<Value>) {
  return (
    <fieldset class="segmented">
      <legend class={isLabelled ? "small" : "visually-hidden"}>{label}</legend>
      <span class="segments">
        {(Object.keys(options) as Value[]).map((value) => (
          <label key={value}>
            <input
              type="radio"
              id={`${name}-${value}`}
              name={name}
              value={value}
              checked={value === chosen}
              onChange={() => choose(value)}
            />
            <span>{options[value]}</span>
          </label>
        ))}
      </span>
    </fieldset>
  );
}

interface CopyButtonProps {
  readonly text: string;
  /** Tells screen readers what is copied. */
  readonly subject: string;
  /** Beside the icon. */
  readonly children?: ComponentChildren;
}

/** A button that copies a text and shows whether copying worked. */
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
      {outcome ?? (
        <>
          <Icon name="copy" /> {children}
        </>
      )}
    </button>
  );
}
