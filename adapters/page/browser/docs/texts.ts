const TEXTS = {
  theme: { en: "Light or dark", fa: "روشن یا تیره" },
  filter: { en: "Filter", fa: "جست‌وجو در این صفحه" },
  copy: { en: "Copy", fa: "کپی" },
  copied: { en: "Copied", fa: "کپی شد" },
  failedToCopy: { en: "Select and copy by hand", fa: "خودتان انتخاب و کپی کنید" },
  key: { en: "API key", fa: "کلید API" },
  keySource: { en: "How to get a key", fa: "چگونه کلید بگیرم؟" },
  keep: { en: "keep it on this device", fa: "نگه‌داری روی این دستگاه" },
  forget: { en: "Forget it", fa: "فراموش کردن کلید" },
  send: { en: "Send", fa: "ارسال" },
  sending: { en: "Waiting for the answer…", fa: "در انتظار پاسخ…" },
  notSent: { en: "not sent", fa: "فرستاده نشود" },
  failed: { en: "No answer: is the server running, and the connection there?", fa: "پاسخی نیامد: آیا سرور روشن و اتصال برقرار است؟" },
  headers: { en: "Header fields", fa: "سرآیندها" },
  chart: { en: "See it as a chart", fa: "دیدن روی نمودار" },
  milliseconds: { en: "ms", fa: "میلی‌ثانیه" },
  unitsLeft: { en: "units left", fa: "واحد مانده" },
} as const;

/** The language of the page. */
export const LANGUAGE = document.documentElement.lang === "fa" ? "fa" : "en";

/** A text that script adds. */
export function say(name: keyof typeof TEXTS): string {
  return TEXTS[name][LANGUAGE];
}
