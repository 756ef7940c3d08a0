import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { usePage } from "../context.ts";
import { CopyButton } from "../ui/copy_button.tsx";
import { linesOf } from "./json_tokens.ts";
import type { Line } from "./json_tokens.ts";
import { MESSAGES } from "./messages.ts";

/** More lines than this are shown on demand, as thousands of coloured pieces make a page slow. */
const MOST_LINES = 120;
/** And past this many they are shown without colours, at once. */
const MOST_COLOURED = 5_000;
/** A line without an end, e.g. of an HTML page, is cut too. */
const MOST_SIGNS = 20_000;

/** A text and what names its box to screen readers. */
interface BoxProps {
  readonly text: string;
  readonly label: string;
}

/** A text as code with a button that copies it. */
export function CodeBox({ text, label }: BoxProps) {
  return <Box text={text} label={label}><code>{text}</code></Box>;
}

/** A body: JSON with colours, anything else as it is. A long one is cut, with a button that shows the rest. */
export function JsonBox({ text, label }: BoxProps) {
  const { preferences, format } = usePage();
  const [isWhole, setWhole] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const lines = linesOf(text);
  const isCutLine = lines.length === 1 && text.length > MOST_SIGNS;
  const isCut = !isWhole && (lines.length > MOST_LINES || isCutLine);
  const most = isWhole ? MOST_COLOURED : MOST_LINES;

  function showAll(): void {
    setWhole(true);
    box.current!.querySelector("pre")!.focus();
  }

  return (
    <div ref={box}>
      <Box text={text} label={label}>
        <code>{isCut && isCutLine ? `${text.slice(0, MOST_SIGNS)}…` : <>{lines.slice(0, most).map(lineOf)}{isWhole && lines.slice(MOST_COLOURED).map(textOf).join("")}</>}</code>
      </Box>
      {isCut && <button type="button" class="ref-more" onClick={showAll}>{MESSAGES[preferences.language].showAll(format.number(lines.length))}</button>}
    </div>
  );
}

function lineOf({ depth, tokens }: Line): ComponentChildren {
  return ["  ".repeat(depth), ...tokens.map(({ kind, text }) => (kind === "punctuation" || kind === "plain" ? text : <span class={`json-${kind}`}>{text}</span>)), "\n"];
}

function textOf({ depth, tokens }: Line): string {
  return `${"  ".repeat(depth)}${tokens.map((token) => token.text).join("")}\n`;
}

function Box({ text, label, children }: BoxProps & { readonly children: ComponentChildren }) {
  return (
    <div class="ref-code">
      <div class="ref-code-head"><span class="small">{label}</span><CopyButton text={() => text} subject={label} class="ref-copy" /></div>
      {/* It scrolls, so that the keyboard has to reach it. */}
      <pre tabIndex={0} role="region" aria-label={label} dir="ltr">{children}</pre>
    </div>
  );
}
