import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { announce, texts } from "../data/state.ts";
import { COPIED_MS, copyText } from "./copy_text.ts";
import { Icon } from "./icons.tsx";

interface SegmentedProps<Value extends string> {
  /** Unique in the page; the ids of the radio buttons begin with it. */
  readonly name: string;
  /** Default: for screen readers alone. */
  readonly isLabelled?: boolean;
  readonly label: string;
  /** Each value with its text, in the order shown. */
  readonly options: Readonly<Record<Value, ComponentChildren>>;
  readonly chosen: Value;
  choose(value: Value): void;
}

/** A choice of a few values, side by side: radio buttons, so that arrow keys and screen readers know them. */
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
  /** What is copied, for screen readers. */
  readonly subject: string;
  /** Beside the icon. */
  readonly children?: ComponentChildren;
}

/** A button that copies a text, and says whether it has. */
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
    <button type="button" class="quiet" aria-label={`${texts.value.copy}: ${subject}`} onClick={() => void copy()}>
      {outcome ?? (
        <>
          <Icon name="copy" /> {children}
        </>
      )}
    </button>
  );
}
