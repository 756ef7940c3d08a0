import { textsIn } from "../texts.ts";

/** The language of the page. */
export const LANGUAGE = document.documentElement.lang === "fa" ? "fa" : "en";

/** What script adds to the page. */
export const TEXTS = textsIn({
  theme: ["Light or dark", "روشن یا تیره"],
  filter: ["Filter", "جست‌وجو در این صفحه"],
  copy: ["Copy", "کپی"],
  copied: ["Copied", "کپی شد"],
  failedToCopy: ["Select and copy by hand", "خودتان انتخاب و کپی کنید"],
  key: ["API key", "کلید API"],
  keySource: ["How to get a key", "چگونه کلید بگیرم؟"],
  keep: ["keep it on this device", "نگه‌داری روی این دستگاه"],
  send: ["Send", "ارسال"],
  sending: ["Waiting for the answer…", "در انتظار پاسخ…"],
  failed: ["No answer: is the server running, and the connection there?", "پاسخی نیامد: آیا سرور روشن و اتصال برقرار است؟"],
  headers: ["Header fields", "سرآیندها"],
  chart: ["See it as a chart", "دیدن روی نمودار"],
  milliseconds: ["ms", "میلی‌ثانیه"],
  unitsLeft: ["units left", "واحد مانده"],
}, LANGUAGE);
