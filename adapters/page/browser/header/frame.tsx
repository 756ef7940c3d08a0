import type { ComponentChildren } from "preact";
import { addressOf, docsAddress, TABS } from "../page_addresses.ts";
import { type PageContext, usePage } from "../page_context.ts";
import { fill } from "../texts.ts";
import { Icon } from "../ui/icon.tsx";
import { SIGN } from "../ui/icon_paths.ts";
import { Segmented } from "../ui/segmented.tsx";
import { KeyForm, KeyLink } from "./key_panel.tsx";
import { Search } from "./search.tsx";

/** The header: name, views, search, choices, and the key where one is needed. */
export function Header() {
  const page = usePage();
  const { settings, preferences, setPreferences, texts } = page;
  return (
    <header class="top">
      <a id="name" class="name" href={addressOf("market")}>
        <svg class="sign" viewBox="0 0 26 26" width="26" height="26" aria-hidden="true">
          <rect width="26" height="26" rx="6" />
          <path d={SIGN} />
        </svg>
        <bdi>{serviceName(page)}</bdi>
      </a>
      <nav class="views" aria-label={texts.nav}>
        <ul>
          {TABS.filter((view) => view !== "convert").map((view) => (
            <li key={view}>
              <ViewLink view={view} id={`nav-${view}`} />
            </li>
          ))}
        </ul>
      </nav>
      <Search />
      <Segmented
        name="unit"
        label={texts.unit}
        options={texts.units}
        chosen={preferences.unit}
        choose={(unit) => setPreferences({ unit })}
      />
      <LanguageButton id="language" />
      {!settings.isPublic && <KeyPanel />}
      <DisplayPanel />
    </header>
  );
}

/** The name of the service; Mazaneh's own is written as the language does. */
export function serviceName({ settings: { application }, texts }: Pick<PageContext, "settings" | "texts">): string {
  return application === "mazaneh" ? texts.mazaneh : application;
}

function ViewLink({
  view,
  id,
  children,
}: {
  readonly view: (typeof TABS)[number];
  readonly id?: string;
  readonly children?: ComponentChildren;
}) {
  const { place, preferences, baseUrl, texts } = usePage();
  const around = view === "market" && place.view === "asset" ? "true" : undefined;
  const current = place.view === view ? "page" : around;
  const address =
    view === "reference" || view === "guide"
      ? `${baseUrl}/${docsAddress(view, preferences.language)}`
      : addressOf(view);
  return (
    <a id={id} href={address} aria-current={current}>
      {children}
      {texts[view]}
    </a>
  );
}

function LanguageButton({ id }: { readonly id: string }) {
  const { preferences, setPreferences, texts } = usePage();
  const other = preferences.language === "en" ? "fa" : "en";
  return (
    <button id={id} type="button" class="quiet" lang={other} onClick={() => setPreferences({ language: other })}>
      {texts.otherLanguage}
    </button>
  );
}

/** What a panel is drawn from. The label is for screen readers, as the summary may have no words. */
type PanelProps = {
  readonly id: string;
  readonly class?: string;
  readonly label: string;
  readonly summary: ComponentChildren;
  readonly children: ComponentChildren;
};

/** A button that opens a small panel below the header. As a popover, the browser closes it by Escape and a click elsewhere, and gives the focus back. */
function Panel({ id, summary, label, class: look = "", children }: PanelProps) {
  return (
    <>
      <button id={`${id}-summary`} type="button" class={`panel-button ${look}`} popovertarget={id} aria-label={label}>
        {summary}
      </button>
      <div id={id} class="panel" popover="auto" role="group" aria-label={label}>
        {children}
      </div>
    </>
  );
}

/** The panel in which a key is entered, and forgotten, with the units that are left. */
function KeyPanel() {
  const { key, quota, settings, format, setKey, texts } = usePage();
  const isOwn = key !== undefined && key !== settings.demoKey;
  const { remaining = 0, limit = remaining } = quota ?? {};
  const left =
    quota === undefined ? "" : fill(texts.left, { count: format.number(remaining), limit: format.number(limit) });
  const badge = key === undefined ? texts.noKey : left;
  const whose = isOwn ? texts.ownKey : texts.demoKey;
  return (
    <Panel
      id="key-panel"
      class="key"
      label={`${texts.key} ${badge}`}
      summary={
        <>
          <Icon name="key" />
          <span>{texts.key}</span> <span class="small badge-text">{badge}</span>
        </>
      }
    >
      <p>
        {key === undefined ? texts.noKeyYet : whose} {!isOwn && <KeyLink />}
      </p>
      {quota !== undefined && <p>{fill(texts.resets, { time: format.dateTimeInZone(quota.resetsAt) })}</p>}
      {quota !== undefined && <meter min={0} max={Math.max(limit, 1)} value={remaining} aria-label={left} />}
      <KeyForm id="key" />
      {isOwn && (
        <p class="acts">
          <button id="key-forget" type="button" onClick={() => setKey(undefined)}>
            {texts.forget}
          </button>
        </p>
      )}
    </Panel>
  );
}

/** Theme, calendar and digits; on a phone it has the language, too. */
function DisplayPanel() {
  const {
    preferences: { theme, calendar, digits },
    setPreferences,
    texts,
  } = usePage();
  const icons = (
    <>
      <span class="wide-only">
        <Icon name="moon" />
        <Icon name="sun" />
      </span>
      <span class="phone-only">
        <Icon name="menu" />
      </span>
    </>
  );
  return (
    <Panel id="display-panel" label={texts.display} summary={icons}>
      <div class="phone-only">
        <LanguageButton id="menu-language" />
      </div>
      <Segmented
        name="theme"
        isLabelled
        label={texts.theme}
        options={texts.themes}
        chosen={theme}
        choose={(theme) => setPreferences({ theme })}
      />
      <Segmented
        name="calendar"
        isLabelled
        label={texts.calendar}
        options={texts.calendars}
        chosen={calendar}
        choose={(calendar) => setPreferences({ calendar })}
      />
      <Segmented
        name="digits"
        isLabelled
        label={texts.digits}
        options={{ latin: "123", persian: "۱۲۳" }}
        chosen={digits}
        choose={(digits) => setPreferences({ digits })}
      />
    </Panel>
  );
}

/** Says on every view, and in every print, that prices are made up. */
export function SampleLine() {
  const { settings, preferences, baseUrl, texts } = usePage();
  if (!settings.isSample) return null;
  return (
    <aside class="sample" aria-label={texts.sampleLabel}>
      <strong>{texts.sampleMark}</strong> <span>{texts.sample}</span>{" "}
      <a href={`${baseUrl}/${docsAddress("guide", preferences.language, { id: "sample" })}`}>{texts.bring}</a>
    </aside>
  );
}

/** What is below every view. */
export function Footer() {
  const { settings, format, baseUrl, texts } = usePage();
  return (
    <footer class="small bottom">
      <span>
        {texts.times} {format.marketZone()}
      </span>{" "}
      <a href={`${baseUrl}/openapi.json`}>OpenAPI</a> <a href={`${baseUrl}/docs.md`}>Markdown</a>{" "}
      {settings.version !== undefined && <bdi dir="ltr">mazaneh {settings.version}</bdi>}
    </footer>
  );
}

/** On a phone, the views at its lower end, where a thumb reaches them. */
export function TabBar() {
  return (
    <nav class="tabs" aria-label={usePage().texts.nav}>
      {TABS.map((view) => (
        <ViewLink key={view} view={view}>
          <Icon name={view} />
        </ViewLink>
      ))}
    </nav>
  );
}
