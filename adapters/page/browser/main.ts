import { createClient, quotaOf } from "../../client/mod.ts";
import type { PageSettings } from "../page_settings.ts";
import type { PageContext, View } from "./context.ts";
import { h, replaceContent } from "./dom.ts";
import { failureBox } from "./failure_box.ts";
import { explain, failureOf } from "./failures.ts";
import { createFormat } from "./format.ts";
import { createFrame } from "./header/frame.ts";
import { closeKeyPanel } from "./header/key_panel.ts";
import type { KeyState } from "./header/key_panel.ts";
import { FRAME } from "./header/messages.ts";
import { messagesOf } from "./messages.ts";
import { addressOf, placeOf } from "./places.ts";
import type { Place } from "./places.ts";
import { choose, languageOf, preferencesOf, readChoices, writeChoices } from "./preferences.ts";
import { titleOf } from "./titles.ts";
import { loadView, loadedView } from "./views.ts";

// A cast, as the server has written this from the same type.
startPage(JSON.parse(document.getElementById("settings")!.textContent!) as PageSettings);

/** Holds what changes while the page is open (place, preferences, key, quota), and draws the page anew with each change. */
function startPage(settings: PageSettings): void {
  const baseUrl = new URL(".", location.href).href.replace(/\/$/, "");
  const accepted = languageOf(navigator.languages);
  const storage = (): Storage => localStorage;
  const frame = createFrame();
  let choices = readChoices(storage);
  let access = accessWith(settings.demoKey);
  let known: KeyState = { quota: undefined, problem: undefined };
  let leave = new AbortController();
  let market = addressOf("market");
  let drawn: { readonly place: Place; readonly hash: string } | undefined;
  /** Where a place was left, by hash, so that going back leads there. The browser's own memory does not know the other view's height. */
  const leftAt = new Map<string, { readonly focused: string | undefined; readonly scrollY: number }>();
  history.scrollRestoration = "manual";
  draw();

  addEventListener("hashchange", () => {
    const focused = frame.main.contains(document.activeElement) ? document.activeElement?.id : undefined;
    leftAt.set(drawn!.hash, { focused, scrollY });
    if (history.state === null) leftAt.delete(location.hash); // a new entry of the history; going back leads to one with a state
    draw();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw); // charts have colours of their own

  function draw(): void {
    leave.abort();
    leave = new AbortController();
    if (history.state === null) history.replaceState("drawn", "");
    const context = makeContext();
    const { place, preferences } = context;
    const root = document.documentElement;
    root.lang = preferences.language;
    root.dir = preferences.language === "fa" ? "rtl" : "ltr";
    root.dataset["theme"] = preferences.theme;
    document.title = titleOf(place, settings, preferences.language);
    frame.draw(context);
    frame.showKey(known);
    const isElsewhere = drawn !== undefined && (drawn.place.view !== place.view || drawn.place.id !== place.id);
    noteDrawn(place);
    const view = loadedView(place.view);
    if (view !== undefined) show(view, context, isElsewhere);
    else void showLoaded(context, isElsewhere);
  }

  function noteDrawn(place: Place): void {
    drawn = { place, hash: location.hash };
    if (place.view === "market") market = addressOf("market", undefined, place.query);
  }

  function show(view: View, context: PageContext, isElsewhere: boolean): void {
    try {
      replaceContent(frame.main, view(context));
    } catch (thrown) {
      // A mistake in one view leaves the header, and with it the way to the others.
      replaceContent(frame.main, failureBox(thrown, context, draw));
      reportError(thrown);
    }
    if (!isElsewhere) return;
    const { focused, scrollY: y } = leftAt.get(location.hash) ?? { focused: undefined, scrollY: 0 };
    const heading = frame.main.querySelector("h1") ?? frame.main;
    heading.setAttribute("tabindex", "-1");
    (document.getElementById(focused ?? "") ?? heading).focus({ preventScroll: true });
    scrollTo(0, y);
  }

  async function showLoaded(context: PageContext, isElsewhere: boolean): Promise<void> {
    const { place, preferences, signal } = context;
    const { loading } = messagesOf(FRAME, preferences.language);
    frame.main.replaceChildren(h("p", { class: "loading" }, loading));
    frame.announce(loading);
    try {
      const view = await loadView(place.view);
      if (!signal.aborted) show(view, context, isElsewhere);
    } catch (thrown) {
      if (!signal.aborted) replaceContent(frame.main, failureBox(thrown, context, draw));
    }
  }

  function makeContext(): PageContext {
    const preferences = preferencesOf(choices, accepted);
    return {
      settings,
      place: placeOf(location.hash),
      preferences,
      format: createFormat(preferences, settings.marketTimeZone),
      ...access,
      baseUrl,
      market,
      signal: leave.signal,
      go(address) {
        location.hash = address;
      },
      replace(address) {
        history.replaceState(history.state, "", address);
        draw();
      },
      record(address, isStep) {
        if (address === (location.hash || addressOf("market"))) return;
        if (isStep) history.pushState("drawn", "", address);
        else history.replaceState(history.state, "", address);
        noteDrawn(placeOf(address));
      },
      setKey,
      setPreferences(change) {
        choices = choose(choices, change, accepted);
        writeChoices(storage, choices);
        draw();
      },
      announce: frame.announce,
    };
  }

  function setKey(key: string | undefined): void {
    access = accessWith(key ?? settings.demoKey);
    known = { quota: undefined, problem: undefined };
    draw();
    if (key !== undefined) void checkKey();
  }

  /** Asks for the plan, which costs nothing, so that a mistyped key shows at once. */
  async function checkKey(): Promise<void> {
    const { client } = access;
    try {
      await client.access();
      if (client !== access.client) return;
      closeKeyPanel();
      frame.announce(messagesOf(FRAME, makeContext().preferences.language).accepted);
    } catch (thrown) {
      if (client !== access.client) return;
      const { preferences, format } = makeContext();
      const { title, text } = explain(failureOf(thrown), { language: preferences.language, format, now: Date.now() });
      known = { ...known, problem: `${title}. ${text}` };
      frame.showKey(known);
    }
  }

  function accessWith(key: string | undefined): Pick<PageContext, "key" | "client" | "noteQuota"> {
    const noteQuota = (headers: Headers): void => {
      const quota = quotaOf(headers);
      // An answer to the key before this one tells nothing of this one.
      if (quota === undefined || key !== access.key) return;
      known = { ...known, quota };
      frame.showKey(known);
    };
    const client = createClient<string>({
      baseUrl,
      maxCandles: settings.maxCandles,
      ...(key === undefined ? {} : { key }),
      async fetch(input, init) {
        const response = await fetch(input, init);
        noteQuota(response.headers);
        return response;
      },
    });
    return { key, client, noteQuota };
  }
}
