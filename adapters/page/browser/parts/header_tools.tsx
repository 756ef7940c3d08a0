import type { ComponentChildren } from "preact";
import { format, key, preferences, quota, setKey, setPreferences, settings, texts } from "../data/state.ts";
import { fill } from "../texts/fill.ts";
import { Segmented } from "./buttons.tsx";
import { icon } from "./icons.tsx";
import { KeyForm, KeyLink } from "./problems.tsx";
import { Search } from "./search.tsx";

/** The tools beside the links in the app's header: search, language, unit and theme, and the key if one is needed. */
export function HeaderTools() {
  const { unit, units } = texts.value;
  return (
    <>
      <Search />
      <Segmented
        name="unit"
        label={unit}
        options={units}
        chosen={preferences.value.unit}
        choose={(chosen) => setPreferences({ unit: chosen })}
      />
      <LanguageButton id="language" />
      {!settings.isPublic && <KeyPanel />}
      <DisplayPanel />
    </>
  );
}

function LanguageButton({ id }: { readonly id: string }) {
  const other = preferences.value.language === "en" ? "fa" : "en";
  return (
    <button id={id} class="quiet" lang={other} onClick={() => setPreferences({ language: other })}>
      {texts.value.otherLanguage}
    </button>
  );
}

type PanelProps = Readonly<Record<"id" | "label", string> & Record<"summary" | "children", ComponentChildren>>;

/**
 * A button that opens a panel below the header. The panel is a popover, so the browser handles Escape and focus. The
 * label is for screen readers, because the button may show only an icon.
 */
function Panel({ id, summary, label, children }: PanelProps) {
  return (
    <>
      <button id={`${id}-summary`} class="panel-button" popovertarget={id} aria-label={label}>
        {summary}
      </button>
      <div id={id} class="panel" popover="auto" role="group" aria-label={label}>
        {children}
      </div>
    </>
  );
}

/** The panel in which a key is entered or forgotten. The panel also shows the remaining units. */
function KeyPanel() {
  const { number, dateTimeInZone } = format.value;
  const isOwn = key.value !== undefined && key.value !== settings.demoKey;
  const { remaining = 0, limit = remaining } = quota.value ?? {};
  const left = quota.value ? fill(texts.value.left, { count: number(remaining), limit: number(limit) }) : "";
  const badge = key.value === undefined ? texts.value.noKey : left;
  const whose = isOwn ? texts.value.ownKey : texts.value.demoKey;
  const summary = (
    <>
      {icon("key")}
      <span>{texts.value.key}</span> <span class="small badge-text">{badge}</span>
    </>
  );
  return (
    <Panel id="key-panel" label={`${texts.value.key} ${badge}`} summary={summary}>
      <p>
        {key.value === undefined ? texts.value.noKeyYet : whose} {!isOwn && <KeyLink />}
      </p>
      {quota.value && <p>{fill(texts.value.resets, { time: dateTimeInZone(quota.value.resetsAt) })}</p>}
      {quota.value && <meter min={0} max={Math.max(limit, 1)} value={remaining} aria-label={left} />}
      <KeyForm id="key" />
      {isOwn && (
        <p class="acts">
          <button id="key-forget" onClick={() => setKey(undefined)}>
            {texts.value.forget}
          </button>
        </p>
      )}
    </Panel>
  );
}

/** The theme and, on a phone, the language. */
function DisplayPanel() {
  const summary = (
    <>
      <span class="wide-only">
        {icon("moon")}
        {icon("sun")}
      </span>
      <span class="phone-only">{icon("menu")}</span>
    </>
  );
  return (
    <Panel id="display-panel" label={texts.value.display} summary={summary}>
      <div class="phone-only">
        <LanguageButton id="menu-language" />
      </div>
      <Segmented
        name="theme"
        isLabelled
        label={texts.value.theme}
        options={texts.value.themes}
        chosen={preferences.value.theme}
        choose={(theme) => setPreferences({ theme })}
      />
    </Panel>
  );
}
