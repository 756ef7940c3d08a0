import type { PageContext } from "../context.ts";
import { h, replaceContent } from "../dom.ts";
import { messagesOf } from "../messages.ts";
import { header } from "./header.ts";
import type { KeyState } from "./key_panel.ts";
import { FRAME } from "./messages.ts";

/** What stands around the views, and stays when one of them is drawn anew. */
export interface Frame {
  /** Where the view goes. */
  readonly main: HTMLElement;
  /** Draws the frame for a place, language or key. */
  draw(context: PageContext): void;
  /** Shows what is known of the key. */
  showKey(state: KeyState): void;
  /** Says a sentence to screen readers. */
  announce(text: string): void;
}

/** Puts the frame into the document. */
export function createFrame(): Frame {
  const main = h("main", { id: "main", tabindex: -1 });
  const skip = h("a", { class: "skip", href: "#main", onclick: skipToMain });
  const top = h("header", { class: "top" });
  const banner = h("aside", { class: "sample", hidden: true });
  const bottom = h("footer", { class: "bottom" });
  const live = h("div", { class: "visually-hidden", role: "status" });
  let showKey: (state: KeyState) => void = () => {};
  document.body.append(skip, top, banner, main, bottom, live);

  function skipToMain(event: Event): void {
    event.preventDefault(); // the hash is the place, so `#main` must not get into it
    main.focus();
  }

  return {
    main,
    draw(context) {
      const { settings, preferences, format, key } = context;
      const texts = messagesOf(FRAME, preferences.language);
      skip.textContent = texts.skip;
      banner.hidden = !settings.isSample;
      banner.setAttribute("aria-label", texts.sampleLabel);
      banner.textContent = key !== undefined && key === settings.demoKey ? `${texts.sample} ${texts.sampleKey}` : texts.sample;
      const { content, show } = header(context);
      showKey = show;
      replaceContent(top, ...content);
      bottom.replaceChildren(
        h("span", {}, texts.times(format.zoneName)),
        h("a", { href: "openapi.json" }, "OpenAPI"),
        h("a", { href: "docs.md" }, "Markdown"),
        settings.version === undefined ? "" : h("bdi", { dir: "ltr" }, `mazaneh ${settings.version}`),
      );
    },
    showKey: (state) => showKey(state),
    announce(text) {
      live.textContent = text;
    },
  };
}
