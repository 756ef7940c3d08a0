import { useRef, useState } from "preact/hooks";
import { usePage } from "../context.ts";
import type { Keep } from "../storage.ts";
import { fill } from "../texts.ts";
import { Icon } from "../ui/icon.tsx";
import { KeyLink } from "../ui/key_link.tsx";
import { Segmented } from "../ui/segmented.tsx";
import { Panel } from "./panel.tsx";

/** Pasted keys bring blanks, quotes and marks of direction along. */
const AROUND = /^[\s"'`“”‘’«»\u200b-\u200f\u2066-\u2069]+|[\s"'`“”‘’«»\u200b-\u200f\u2066-\u2069]+$/g;

/** The panel in which a key is entered, and forgotten, with the units that are left. */
export function KeyPanel() {
  const { key, quota, settings, format, setKey, texts } = usePage();
  const isOwn = key !== undefined && key !== settings.demoKey;
  const { remaining = 0, limit = remaining } = quota ?? {};
  const left = quota === undefined ? "" : fill(texts.left, { count: format.number(remaining), limit: format.number(limit) });
  const badge = key === undefined ? texts.noKey : left;
  return (
    <Panel id="key-panel" class="key" label={`${texts.key} ${badge}`} summary={<><Icon name="key" /><span>{texts.key}</span> <span class="badge-text">{badge}</span></>}>
      <p>{key === undefined ? texts.noKeyYet : isOwn ? texts.ownKey : texts.demoKey} {!isOwn && <KeyLink />}</p>
      {quota !== undefined && <p>{fill(texts.resets, { time: format.dateTimeInZone(quota.resetsAt) })}</p>}
      {quota !== undefined && <meter min={0} max={Math.max(limit, 1)} value={remaining} aria-label={left} />}
      <KeyForm id="key" />
      {isOwn && <p class="acts"><button id="key-forget" type="button" onClick={() => setKey(undefined)}>{texts.forget}</button></p>}
    </Panel>
  );
}

/** The field for a key, and where it is kept. */
export function KeyForm({ id }: { readonly id: string }) {
  const { texts, keep, setKey } = usePage();
  const field = useRef<HTMLInputElement>(null);
  const [chosen, choose] = useState(keep);
  const [isWrong, setWrong] = useState(false);

  function use(event: Event): void {
    event.preventDefault();
    const key = field.current!.value.replace(AROUND, "");
    const isKey = /^[\x21-\x7e]+$/.test(key);
    setWrong(!isKey && key !== "");
    if (!isKey) return field.current!.focus();
    field.current!.value = "";
    document.getElementById("key-panel")?.hidePopover();
    setKey(key, chosen);
  }

  return (
    <form class="key-form" onSubmit={use}>
      <label for={`${id}-field`}>{texts.keyField}</label>
      <span class="key-line">
        <input
          id={`${id}-field`} ref={field} type="password" autocomplete="off" spellcheck={false} dir="ltr" placeholder="mz_live_…"
          aria-describedby={`${id}-promise`} aria-invalid={isWrong}
        />
        <button id={`${id}-use`} type="submit" class="primary">{texts.use}</button>
      </span>
      {isWrong && <p class="problem" role="alert">{texts.notAKey}</p>}
      <Segmented name={`${id}-keep`} label={texts.keep} isLabelled options={texts.keeps} chosen={chosen} choose={(next: Keep) => choose(next)} />
      <p id={`${id}-promise`} class="small">{texts.keyPromise}</p>
    </form>
  );
}

/** Opens the panel, and leads the focus into its field. */
export function openKeyPanel(): void {
  document.getElementById("key-panel")?.showPopover();
  document.getElementById("key-field")?.focus();
}
