// What script adds to the documentation, which is all there without it: the visitor's choices, a filter, copy buttons, forms.
import { copyText } from "../copy_text.ts";
import { documentationOf } from "../places.ts";
import { choose, readChoices } from "../preferences.ts";
import type { Choices } from "../preferences.ts";
import { readStored, writeStored } from "../storage.ts";
import { element } from "./element.ts";
import { LANGUAGE, TEXTS } from "./texts.ts";
import { addForms } from "./try_it.ts";

/** Where the language of examples is kept that a visitor has chosen. */
const EXAMPLE = "example";
const COPIED_MS = 2_000;
const root = document.documentElement;
// A cast, as the server has written this.
const { demoKey, documentationUrl } = JSON.parse(document.body.dataset["settings"]!) as { readonly demoKey?: string; readonly documentationUrl?: string };
const baseUrl = new URL("..", location.href).href.replace(/\/$/, "");

function followChoices(): void {
  const { theme = "auto", language = LANGUAGE } = readChoices();
  root.dataset["theme"] = theme;
  const link = document.querySelector<HTMLAnchorElement>("#other-language")!;
  const here = (): string => new URL(link.getAttribute("href")!, location.href).href + location.search + location.hash;
  if (language !== LANGUAGE) location.replace(here());
  link.addEventListener("click", (event) => {
    event.preventDefault();
    keepChoice({ language: LANGUAGE === "fa" ? "en" : "fa" });
    location.assign(here());
  });
}

function keepChoice(change: Choices): void {
  writeStored("preferences", choose(readChoices(), change));
}

function addThemeButton(): void {
  const button = element("button", { type: "button", id: "theme", className: "quiet", title: TEXTS.theme, "aria-label": TEXTS.theme }, "◐");
  button.addEventListener("click", () => {
    const isDark = matchMedia("(prefers-color-scheme: dark)").matches ? root.dataset["theme"] !== "light" : root.dataset["theme"] === "dark";
    root.dataset["theme"] = isDark ? "light" : "dark";
    keepChoice({ theme: isDark ? "light" : "dark" });
  });
  document.querySelector(".top")!.append(button);
}

function showExamples(name: string): void {
  for (const input of document.querySelectorAll<HTMLInputElement>(".code > input")) if (input.value === name) input.checked = true;
}

function rememberExamples(): void {
  showExamples(String(readStored(EXAMPLE)));
  document.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement && target.matches(".code > input"))) return;
    const { top } = target.getBoundingClientRect();
    showExamples(target.value);
    scrollBy(0, target.getBoundingClientRect().top - top); // as boxes above may have grown
    writeStored(EXAMPLE, target.value);
  });
}

function fillIn(): void {
  for (const code of document.querySelectorAll("code")) {
    if (code.childElementCount === 0 && code.textContent.includes("BASE_URL")) code.textContent = code.textContent.replaceAll("BASE_URL", baseUrl);
  }
}

function addCopyButtons(): void {
  for (const box of document.querySelectorAll(".code")) {
    const button = element("button", { type: "button", className: "copy" }, TEXTS.copy);
    button.addEventListener("click", async () => {
      const shown = [...box.querySelectorAll("pre")].find((pre) => pre.offsetParent !== null);
      button.textContent = (await copyText(shown?.textContent ?? "")) ? TEXTS.copied : TEXTS.failedToCopy;
      setTimeout(() => (button.textContent = TEXTS.copy), COPIED_MS);
    });
    box.append(button);
  }
}

/** Leaves in the contents the parts of the page that hold what is typed. */
function addFilter(): void {
  const contents = document.querySelector(".contents")!;
  const links = [...contents.querySelectorAll("a")].map((link) => ({ link, text: textOf(link.getAttribute("href")!.slice(1)).toLowerCase() }));
  const field = element("input", { type: "search", id: "filter", placeholder: TEXTS.filter, "aria-label": TEXTS.filter, autocomplete: "off" });
  field.addEventListener("input", () => {
    for (const { link, text } of links) link.parentElement!.hidden = !text.includes(field.value.trim().toLowerCase());
  });
  field.addEventListener("keydown", ({ key }) => key === "Enter" && links.find(({ link }) => !link.parentElement!.hidden)?.link.click());
  contents.prepend(field);
  const mark = (): void => links.forEach(({ link }) => (link.hash === location.hash ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current")));
  addEventListener("hashchange", mark);
  mark();
}

/** The text of a section, or of a heading with what follows it. */
function textOf(id: string): string {
  const target = document.getElementById(id);
  let text = target?.textContent ?? "";
  if (target?.tagName === "H2") for (let next = target.nextElementSibling; next !== null && next.tagName !== "H2"; next = next.nextElementSibling) text += next.textContent;
  return text;
}

followChoices();
addThemeButton();
rememberExamples();
fillIn();
addForms({ baseUrl, demoKey, keySource: documentationOf({ documentationUrl }, baseUrl) ?? `${LANGUAGE === "fa" ? "guide.fa" : "guide"}#keys` });
addCopyButtons();
addFilter();
