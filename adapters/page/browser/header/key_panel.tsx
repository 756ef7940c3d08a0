import { useEffect, useRef, useState } from "preact/hooks";
import type { Quota } from "../../../client/mod.ts";
import type { KeyKeep } from "../access.ts";
import { usePage } from "../context.ts";
import { documentationOf } from "../documentation.ts";
import { Icon } from "../ui/icon.tsx";
import { KeyLink } from "../ui/key_link.tsx";
import { Segmented } from "../ui/segmented.tsx";
import { FRAME } from "./messages.ts";
import { Panel } from "./panel.tsx";

/** What the panel says of the key: the units that are left, and why the key was refused. */
export interface KeyState {
  readonly quota: Quota | undefined;
  readonly problem: string | undefined;
}

/** The panel in which a key is entered, kept and forgotten. */
export function KeyPanel({ state: { quota, problem }, keep, setKeep }: { readonly state: KeyState; readonly keep: KeyKeep; setKeep(keep: KeyKeep): void }) {
  const { key, settings, baseUrl, preferences, format, setKey } = usePage();
  const texts = FRAME[preferences.language];
  const field = useRef<HTMLInputElement>(null);
  const [isShown, setShown] = useState(false);
  const [fault, setFault] = useState<string>();
  const isDemo = key !== undefined && key === settings.demoKey;
  const isElsewhere = documentationOf(settings, baseUrl) !== undefined;
  const told = fault ?? problem;
  useEffect(() => setFault(undefined), [key]);

  function use(event: Event): void {
    event.preventDefault();
    const entered = enteredKey(field.current!.value);
    if (entered === "") return field.current!.focus();
    if (!/^[\x21-\x7e]+$/.test(entered)) return setFault(texts.notAKey);
    setKey(entered); // what was typed stays until the server has accepted it
  }

  function forget(): void {
    field.current!.value = "";
    setKey(undefined);
    field.current!.focus(); // as the button is gone
  }

  const badge = key === undefined ? texts.noKey : quota === undefined ? "" : texts.left(format.number(quota.remaining));
  return (
    <Panel id="key-panel" class="key" label={`${texts.key} ${badge}`} summary={<><Icon name="key" /><span>{texts.key}</span> <span class="badge-text">{badge}</span></>}>
      {told === undefined && <p>{key === undefined ? texts.noKeyYet : isDemo ? texts.demoKey : texts.ownKey}</p>}
      {isElsewhere && (key === undefined || isDemo) && <p><KeyLink /></p>}
      {!isElsewhere && key === undefined && <><p>{texts.makeKey}</p><pre><code>mazaneh keys create NAME</code></pre></>}
      <div role="status">{quota !== undefined && <Units quota={quota} />}</div>
      <form onSubmit={use}>
        <label for="key-field">{texts.keyField}</label>
        <input
          id="key-field" ref={field} type={isShown ? "text" : "password"} autocomplete="off" autocapitalize="off" spellcheck={false} dir="ltr"
          aria-describedby="key-promise" placeholder="mz_live_…"
        />
        <label class="check"><input id="key-shown" type="checkbox" checked={isShown} onChange={() => setShown(!isShown)} />{texts.show}</label>
        {told !== undefined && <p class="problem" role="alert">{told}</p>}
        <Segmented name="key-keep" label={texts.keep} isLabelled options={texts.keeps} chosen={keep} choose={setKeep} />
        <p class="acts">
          <button id="key-use" type="submit" class="primary">{texts.use}</button>
          {key !== undefined && !isDemo && <button id="key-forget" type="button" onClick={forget}>{texts.forget}</button>}
        </p>
      </form>
      <p id="key-promise" class="small">{texts.keyPromise}</p>
    </Panel>
  );
}

function Units({ quota: { limit, remaining, resetsAt } }: { readonly quota: Quota }) {
  const { preferences, format, now } = usePage();
  const texts = FRAME[preferences.language];
  const left = limit === undefined ? texts.left(format.number(remaining)) : texts.leftOf(format.number(remaining), format.number(limit));
  return (
    <>
      <p><strong>{left}</strong> {texts.resets(format.dateTimeInZone(resetsAt), format.age(resetsAt.getTime(), now))}</p>
      {limit !== undefined && <meter min={0} max={Math.max(limit, 1)} value={remaining} aria-label={left} />}
    </>
  );
}

/** A key as it was meant: pasted ones bring blanks, quotes and marks of direction along. */
export function enteredKey(text: string): string {
  return text.replace(/^[\s"'`“”‘’«»\u200b-\u200f\u2066-\u2069]+|[\s"'`“”‘’«»\u200b-\u200f\u2066-\u2069]+$/g, "");
}

/** Empties the field and closes the panel, which would cover the prices, and leads the focus from it back to its button. */
export function closeKeyPanel(): void {
  const open = document.querySelector<HTMLDetailsElement>("#key-panel");
  if (open === null) return;
  open.querySelector<HTMLInputElement>("#key-field")!.value = "";
  const hadFocus = open.contains(document.activeElement);
  open.open = false;
  if (hadFocus) open.querySelector("summary")?.focus();
}

/** Opens the panel, and leads the focus into its field. */
export function openKeyPanel(): void {
  document.getElementById("key-panel")?.setAttribute("open", "");
  document.getElementById("key-field")?.focus();
}
