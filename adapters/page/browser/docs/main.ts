// Activates the documentation's filter, forms, and choice of language, theme and example, and adds copy buttons. Its text
// is complete without this script.

import type { PageSettings } from "../../page_settings.ts";
import { documentationOf } from "../data/addresses.ts";
import { readStored, writeStored } from "../data/device.ts";
import { keepChoice, readChoices } from "../data/preferences.ts";
import { COPIED_MS, copyText } from "../parts/copy_text.ts";
import { addForms, element, LANGUAGE, showCode, TEXTS } from "./try_it.ts";

const root = document.documentElement;
// A cast, because the server has written this JSON.
const { demoKey, documentationUrl } = JSON.parse(document.body.dataset["settings"]!) as Partial<PageSettings>;
const baseUrl = new URL("..", location.href).href.replace(/\/$/, "");

function followChoices(): void {
  const { theme = "auto", language = LANGUAGE } = readChoices();
  root.dataset["theme"] = theme;
  const link = document.querySelector<HTMLAnchorElement>("#other-language")!;
  const here = (): string => new URL(link.getAttribute("href")!, location.href).href + location.search + location.hash;
  if (language !== LANGUAGE) location.replace(here());
  link.addEventListener("click", (event) => {
    event.preventDefault();
    keepChoice(readChoices(), { language: LANGUAGE === "fa" ? "en" : "fa" });
    location.assign(here());
  });
}

function addThemeButton(): void {
  const button = document.querySelector<HTMLButtonElement>("#theme")!;
  button.hidden = false;
  button.addEventListener("click", () => {
    const usual = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    const shown = root.dataset["theme"] === "auto" ? usual : root.dataset["theme"];
    const theme = shown === "dark" ? "light" : "dark";
    root.dataset["theme"] = theme;
    keepChoice(readChoices(), { theme });
  });
}

function showExamples(name: string): void {
  for (const input of document.querySelectorAll<HTMLInputElement>(".code > input"))
    if (input.value === name) input.checked = true;
}

function rememberExamples(): void {
  showExamples(String(readStored("example")));
  document.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement && target.matches(".code > input"))) return;
    const { top } = target.getBoundingClientRect();
    showExamples(target.value);
    scrollBy(0, target.getBoundingClientRect().top - top); // the content above the target may have grown
    writeStored("example", target.value);
  });
}

/** Fills in and colours the code outside of forms. The forms colour their code themselves. */
function fillInCode(): void {
  for (const code of document.querySelectorAll("code:not(:has(*))")) {
    if (code.closest("pre") ?? code.textContent.includes("BASE_URL"))
      showCode(code, code.textContent.replaceAll("BASE_URL", baseUrl));
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

/** Filters the table of contents by the typed text, and marks the section that is being read. */
function useFilter(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>(".contents li > a")];
  const sections = links.map((link) => document.getElementById(link.getAttribute("href")!.slice(1))!);
  const targets = [...sections, document.querySelector(".bottom")!];
  const texts = links.map((_, at) => {
    const part = new Range();
    part.setStartBefore(targets[at]!);
    part.setEndBefore(targets[at + 1]!);
    return part.toString().toLowerCase();
  });
  const field = document.querySelector<HTMLInputElement>("#filter")!;
  field.hidden = false;
  field.addEventListener("input", () => {
    const wanted = field.value.trim().toLowerCase();
    links.forEach((link, at) => (link.parentElement!.hidden = !texts[at]!.includes(wanted)));
  });
  field.addEventListener("keydown", ({ key }) => {
    if (key === "Enter") links.find((link) => !link.parentElement!.hidden)?.click();
  });
  const mark = (): void => {
    const tops = targets.map((target) => target.getBoundingClientRect().top);
    // Marks the section in the address if it is visible, because the last sections cannot be scrolled to the top.
    const gone = links.findIndex(({ hash }, at) => hash === location.hash && tops[at]! >= 0 && tops[at]! < innerHeight);
    const read = links.findLastIndex((_, at) => tops[at]! < innerHeight / 3);
    links.forEach((link, at) => (link.ariaCurrent = at === (gone < 0 ? Math.max(0, read) : gone) ? "true" : null));
  };
  for (const name of ["scroll", "hashchange"]) addEventListener(name, mark);
  mark();
}

followChoices();
addThemeButton();
rememberExamples();
addForms({
  baseUrl,
  demoKey,
  keySource: documentationOf({ documentationUrl }, baseUrl) ?? `${LANGUAGE === "fa" ? "guide.fa" : "guide"}#keys`,
});
fillInCode();
addCopyButtons();
useFilter();
