import type { ComponentChildren } from "preact";
import { type Place, TABS } from "../data/addresses.ts";
import type { Language } from "../data/preferences.ts";
import { TEXTS } from "../texts/built_page.ts";
import { icon, Sign } from "./icons.tsx";

/** The current view of the app or page of the documentation. */
export type View = Place["view"] | (typeof TABS)[number];

/** The parts of the frame that differ between app and documentation. */
export interface FrameProps {
  readonly language: Language;
  readonly view: View;
  readonly service: string;
  /** Shown between the links and the end of the header. */
  readonly tools: ComponentChildren;
  /** The banner for made-up prices. */
  readonly sampleLine: ComponentChildren;
  /** The address of the root, with a slash at the end. */
  readonly root: string;
  /** In the footer, `times` is before the links to the documents for machines, and `version` is after them. */
  readonly times?: ComponentChildren;
  readonly version: ComponentChildren;
  readonly children: ComponentChildren;
  hrefOf(view: (typeof TABS)[number]): string;
  skip?(event: Event): void;
  toConverter?(event: Event): void;
}

/** Some links are marked as current in a second view, too, e.g. the link to the market in the view of an asset. */
const AROUND: Readonly<Partial<Record<View, View>>> = { market: "asset", coins: "gold" };

/** The frame of every page: header, banner for made-up prices, content, footer, and the tabs on a phone. */
export function Frame({ language, view, service, root, hrefOf, skip, toConverter, children, ...parts }: FrameProps) {
  const texts = TEXTS[language];
  const link = (to: (typeof TABS)[number], id?: string, icon?: ComponentChildren) => {
    const around = view === AROUND[to] ? "true" : undefined;
    return (
      <a key={to} id={id} href={hrefOf(to)} aria-current={to === view ? "page" : around}>
        {icon}
        {texts[to]}
      </a>
    );
  };
  return (
    <>
      <a class="skip" href="#main" onClick={skip}>
        {texts.skip}
      </a>
      <header class="top">
        <a class="skip" href={hrefOf("convert")} onClick={toConverter}>
          {texts.convert}
        </a>
        <a id="name" class="name" href={hrefOf("market")}>
          <Sign />
          <bdi>{service}</bdi>
        </a>
        <nav class="views" aria-label={texts.nav}>
          <ul>
            {TABS.map((to) => (
              <li key={to}>{link(to, `nav-${to}`)}</li>
            ))}
          </ul>
        </nav>
        {parts.tools}
      </header>
      {parts.sampleLine}
      {children}
      <footer class="small bottom">
        {parts.times} <a href={`${root}openapi.json`}>OpenAPI</a> <a href={`${root}docs.md`}>Markdown</a>{" "}
        {parts.version}
      </footer>
      <nav class="tabs" aria-label={texts.nav}>
        {TABS.map((to) => link(to, undefined, icon(to)))}
      </nav>
    </>
  );
}

/** The notice that prices are made up. The notice is on every page, even in print. */
export function SampleLine({ language, more }: { readonly language: Language; readonly more?: ComponentChildren }) {
  const texts = TEXTS[language];
  return (
    <aside class="sample" aria-label={texts.sampleLabel}>
      <strong>{texts.sampleMark}</strong> <span class="wide-only">{texts.sample}</span>
      <span class="phone-only">{texts.sampleShort}</span> {more}
    </aside>
  );
}
