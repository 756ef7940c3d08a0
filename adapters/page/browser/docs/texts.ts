import { TEXTS as BOTH } from "./built_texts.ts";

/** The language of the page. */
export const LANGUAGE = document.documentElement.lang === "fa" ? "fa" : "en";

/** What script adds to the page. */
export const TEXTS = BOTH[LANGUAGE];
