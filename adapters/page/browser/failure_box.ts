import type { PageContext } from "./legacy.tsx";
import { h } from "./dom.ts";
import { explain, failureOf } from "./failures.ts";
import { openKeyPanel } from "./header/key_panel.tsx";
import { keyLink } from "./key_link.ts";
import { messagesOf } from "./messages.ts";

/**
 * Explains what a call has thrown, and what to do next.
 *
 * @param retry Called by the button "Try again"; without it there is none.
 */
export function failureBox(thrown: unknown, context: Pick<PageContext, "preferences" | "format" | "settings" | "baseUrl" | "key">, retry?: () => void): HTMLElement {
  const { preferences, format } = context;
  const failure = failureOf(thrown);
  const texts = messagesOf(MESSAGES, preferences.language);
  const hasDemoKey = context.key !== undefined && context.key === context.settings.demoKey;
  const { title, text, wantsKey } = explain(failure, { language: preferences.language, format, now: Date.now(), hasDemoKey });
  const answer = failure.status === undefined ? failure.message : `${failure.status} ${failure.code ?? ""}: ${failure.message}`;
  const said = h("bdi", { dir: "ltr", lang: "en" }, answer);
  return h(
    "div",
    { class: "failure", role: "alert" },
    h("strong", {}, title),
    h("p", {}, text),
    failure.status === undefined ? h("details", { class: "failure-answer" }, h("summary", {}, texts.details), said) : h("p", { class: "failure-answer" }, said),
    failure.requestId !== undefined && h("p", { class: "failure-answer" }, `${texts.requestId} `, h("code", { dir: "ltr" }, failure.requestId)),
    (wantsKey || retry !== undefined) &&
      h(
        "p",
        { class: "failure-acts" },
        wantsKey && h("button", { type: "button", class: "primary", onclick: openKeyPanel }, texts.enterKey),
        retry !== undefined && h("button", { type: "button", onclick: retry }, texts.retry),
        wantsKey && keyLink(context),
      ),
  );
}

const MESSAGES = {
  en: { requestId: "Request id:", enterKey: "Enter a key", retry: "Try again", details: "What the browser says" },
  fa: { requestId: "شناسهٔ درخواست:", enterKey: "وارد کردن کلید", retry: "تلاش دوباره", details: "پیام مرورگر" },
};
