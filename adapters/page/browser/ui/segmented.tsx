import type { ComponentChildren } from "preact";

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
      <legend class={isLabelled ? undefined : "visually-hidden"}>{label}</legend>
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
