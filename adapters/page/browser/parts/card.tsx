import type { ComponentChildren } from "preact";
import { num } from "./numbers.tsx";

interface CardProps {
  readonly id?: string;
  readonly title: ComponentChildren;
  /** Shown at the end of the title's line. */
  readonly note?: ComponentChildren;
  /** Pairs of name and value. A string is shown like a number: left to right, unbroken. */
  readonly rows?: readonly (readonly [name: string, value: ComponentChildren])[];
  readonly look?: string;
  readonly children?: ComponentChildren;
}

/** A box with a title, for names and values or other content. */
export function Card({ id, title, note, rows, look = "", children }: CardProps) {
  return (
    <section class={`sheet card ${look}`} id={id}>
      <h2>
        {title} {note !== undefined && <span class="small">{note}</span>}
      </h2>
      {rows && (
        <dl>
          {rows.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt> <dd>{typeof value === "string" ? num(value) : value}</dd>
            </div>
          ))}
        </dl>
      )}
      {children}
    </section>
  );
}
