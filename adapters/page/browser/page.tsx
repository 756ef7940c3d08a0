import { useLayoutEffect } from "preact/hooks";
import type { PageSettings } from "../page_settings.ts";
import { PageContextHolder, usePageState } from "./context.ts";
import type { PageContext } from "./context.ts";
import { unitOf } from "./format.ts";
import { Footer, Header, SampleLine, TabBar, serviceName } from "./header/frame.tsx";
import { nameOf } from "./titles.ts";
import { ViewHere } from "./views.tsx";

/** The whole page, as long as it is open. */
export function Page({ settings }: { readonly settings: PageSettings }) {
  const page = usePageState(settings);
  const { preferences: { language, theme }, texts, said } = page;
  useLayoutEffect(() => {
    const root = document.documentElement;
    root.lang = language;
    root.dir = language === "fa" ? "rtl" : "ltr";
    root.dataset["theme"] = theme;
  }, [language, theme]);
  document.title = titleOf(page);

  return (
    <PageContextHolder.Provider value={page}>
      <a class="skip" href="#main" onClick={skipToMain}>{texts.skip}</a>
      <Header />
      <SampleLine />
      <main id="main" tabIndex={-1}><ViewHere /></main>
      <Footer />
      <TabBar />
      <div class="visually-hidden" role="status">{said}</div>
    </PageContextHolder.Provider>
  );
}

/** The title of the document, e.g. `1,985,528 rial US Dollar (USD_RLS) – Mazaneh`: with the price, so that a tab in the background is of use. */
function titleOf(page: PageContext): string {
  const { place: { view, id }, settings: { assets, isSample }, preferences: { language }, texts, format, market } = page;
  const asset = view === "asset" ? assets.find(({ code }) => code === id) : undefined;
  const latest = asset && market.rows.get(asset.code);
  const price = latest === undefined ? "" : `${format.price(latest.value, unitOf(asset!))} `;
  const here = view !== "asset" ? texts[view] : asset === undefined ? id : `${price}${nameOf(asset, language)} (${asset.code})`;
  return `${here} – ${serviceName(page)}${isSample ? ` (${texts.sampleMark})` : ""}`;
}

function skipToMain(event: Event): void {
  event.preventDefault(); // the hash is the place, so `#main` must not get into it
  document.getElementById("main")!.focus();
}
