import type { GuideLanguage } from "../guide/error_text.ts";

const TEXTS = {
  title: { en: "Reference", fa: "مرجع" },
  intro: { en: "Every route of this server, with a request and its answer.", fa: "همهٔ مسیرهای این سرور، هر یک با یک درخواست و پاسخ آن." },
  rules: { en: "The guide tells what holds for all of them", fa: "آنچه برای همهٔ آن‌هاست در راهنما آمده است" },
  needsKey: { en: "Needs a key.", fa: "کلید لازم دارد." },
  needsNoKey: { en: "Needs no key.", fa: "کلید لازم ندارد." },
  required: { en: "required", fa: "الزامی" },
  optional: { en: "optional", fa: "اختیاری" },
  example: { en: "Example", fa: "نمونه" },
  body: { en: "Body", fa: "بدنه" },
  answers: { en: "It answers with", fa: "پاسخ" },
  exampleAnswer: { en: "Example of an answer", fa: "نمونهٔ پاسخ" },
  errors: { en: "When it fails", fa: "اگر ناموفق باشد" },
  generalErrors: { en: "and what any request can get", fa: "و آنچه هر درخواستی می‌تواند بگیرد" },
  codes: { en: "Errors", fa: "خطاها" },
  headers: { en: "Header fields", fa: "سرآیندها" },
  fields: { en: "Fields", fa: "فیلدها" },
  assets: { en: "Assets", fa: "دارایی‌ها" },
  field: { en: "Field", fa: "فیلد" },
  type: { en: "Type", fa: "نوع" },
  meaning: { en: "Meaning", fa: "معنی" },
  status: { en: "Status", fa: "وضعیت" },
  code: { en: "Code", fa: "کد" },
  toDo: { en: "What is wrong, and what to do", fa: "چه شده است و چه باید کرد" },
  english: { en: "English", fa: "انگلیسی" },
  persian: { en: "Persian", fa: "فارسی" },
  category: { en: "Category", fa: "دسته" },
  unit: { en: "Unit of values", fa: "واحد مقدارها" },
} as const;

/** The texts around the reference. */
export function textsIn(language: GuideLanguage): Readonly<Record<keyof typeof TEXTS, string>> {
  return Object.fromEntries(Object.entries(TEXTS).map(([name, text]) => [name, text[language]])) as Record<keyof typeof TEXTS, string>; // the same names
}
