import type { Quota } from "../../../client/mod.ts";
import { usePage } from "../context.ts";
import { addressOf, docsAddress } from "../places.ts";
import type { Keep } from "../storage.ts";
import { serviceName } from "../titles.ts";
import { Icon } from "../ui/icon.tsx";
import { Segmented } from "../ui/segmented.tsx";
import { KeyPanel } from "./key_panel.tsx";
import { FRAME } from "./messages.ts";
import { Panel } from "./panel.tsx";
import { Search } from "./search.tsx";

const VIEWS = ["market", "coins", "reference", "guide"] as const;
const TABS = ["market", "coins", "convert", "reference", "guide"] as const;

/** The header: name, views, search, choices, and the key where one is needed. */
export function Header({ quota, keep }: { readonly quota: Quota | undefined; readonly keep: Keep }) {
  const { settings, preferences, setPreferences } = usePage();
  const texts = FRAME[preferences.language];
  return (
    <header class="top">
      <a id="name" class="name" href={addressOf("market")}><Sign /><bdi>{serviceName(settings.application, preferences.language)}</bdi></a>
      <nav class="views" aria-label={texts.nav}><ul>{VIEWS.map((view) => <li key={view}><ViewLink view={view} id={`nav-${view}`} /></li>)}</ul></nav>
      <Search />
      <Segmented name="unit" label={texts.unit} options={texts.units} chosen={preferences.unit} choose={(unit) => setPreferences({ unit })} />
      <LanguageButton id="language" />
      {!settings.isPublic && <KeyPanel quota={quota} keep={keep} />}
      <DisplayPanel />
    </header>
  );
}

function ViewLink({ view, id, children }: { readonly view: (typeof TABS)[number]; readonly id?: string; readonly children?: preact.ComponentChildren }) {
  const { place, preferences, baseUrl } = usePage();
  const current = place.view === view ? "page" : view === "market" && place.view === "asset" ? "true" : undefined;
  const address = view === "reference" || view === "guide" ? `${baseUrl}/${docsAddress(view, preferences.language)}` : addressOf(view);
  return <a id={id} href={address} aria-current={current}>{children}{FRAME[preferences.language][view]}</a>;
}

/** The letter ظ, which «مظنه» turns on. */
function Sign() {
  return (
    <svg class="sign" viewBox="0 0 26 26" width="26" height="26" aria-hidden="true">
      <rect width="26" height="26" rx="6" />
      <path d="M9.5 5v12.5H5M9.5 17.5c2-4 5-6.5 8-6.5 2.200 0 3.5 1.200 3.5 3.200 0 2.200-1.800 3.300-4.5 3.300h-7M15.5 6.5h.01" />
    </svg>
  );
}

function LanguageButton({ id }: { readonly id: string }) {
  const { preferences, setPreferences } = usePage();
  const other = preferences.language === "en" ? "fa" : "en";
  return <button id={id} type="button" class="quiet" lang={other} onClick={() => setPreferences({ language: other })}>{FRAME[preferences.language].otherLanguage}</button>;
}

/** Theme, calendar and digits; on a phone it has the language, too. */
function DisplayPanel() {
  const { preferences, setPreferences } = usePage();
  const texts = FRAME[preferences.language];
  return (
    <Panel id="display-panel" label={texts.display} summary={<><span class="wide-only"><Icon name="moon" /></span><span class="phone-only"><Icon name="menu" /></span></>}>
      <div class="phone-only"><LanguageButton id="menu-language" /></div>
      <Segmented name="theme" isLabelled label={texts.theme} options={texts.themes} chosen={preferences.theme} choose={(theme) => setPreferences({ theme })} />
      <Segmented name="calendar" isLabelled label={texts.calendar} options={texts.calendars} chosen={preferences.calendar} choose={(calendar) => setPreferences({ calendar })} />
      <Segmented name="digits" isLabelled label={texts.digits} options={texts.digitKinds} chosen={preferences.digits} choose={(digits) => setPreferences({ digits })} />
    </Panel>
  );
}

/** Says on every view, and in every print, that prices are made up. */
export function SampleLine() {
  const { settings, preferences, baseUrl } = usePage();
  const texts = FRAME[preferences.language];
  if (!settings.isSample) return null;
  return (
    <aside class="sample" aria-label={texts.sampleLabel}>
      <strong>{texts.sampleMark}</strong> <span>{texts.sample}</span> <a href={`${baseUrl}/${docsAddress("guide", preferences.language, { id: "sample" })}`}>{texts.bring}</a>
    </aside>
  );
}

/** What is below every view. */
export function Footer() {
  const { settings, preferences, format, baseUrl } = usePage();
  return (
    <footer class="bottom">
      <span>{FRAME[preferences.language].times(format.zoneName)}</span> <a href={`${baseUrl}/openapi.json`}>OpenAPI</a> <a href={`${baseUrl}/docs.md`}>Markdown</a>{" "}
      {settings.version !== undefined && <bdi dir="ltr">mazaneh {settings.version}</bdi>}
    </footer>
  );
}

/** On a phone, the views at its lower end, where a thumb reaches them. */
export function TabBar() {
  const { preferences } = usePage();
  return (
    <nav class="tabs" aria-label={FRAME[preferences.language].nav}>
      {TABS.map((view) => <ViewLink key={view} view={view}><Icon name={view} /></ViewLink>)}
    </nav>
  );
}
