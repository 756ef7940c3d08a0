import type { PageSettings } from "../../page_settings.ts";
import type { MessageTable } from "../messages.ts";

/** The texts of the reference. */
export interface ReferenceMessages {
  readonly title: string;
  readonly intro: string;
  readonly about: string;
  /** The same as the document's text about all routes, where that is in another language. */
  readonly aboutTexts?: (settings: PageSettings) => readonly string[];
  readonly routes: string;
  readonly versionRoutes: string;
  readonly customRoutes: string;
  readonly unknownRoute: (id: string) => string;
  readonly needsKey: string;
  readonly needsNoKey: string;
  readonly charge: Readonly<Record<"always" | "success" | "free", string>>;
  readonly tryIt: string;
  readonly freely: string;
  readonly required: string;
  readonly optional: string;
  readonly inPath: string;
  readonly oneOf: (count: string) => string;
  readonly notSent: string;
  readonly otherValue: string;
  readonly otherOf: (name: string) => string;
  readonly addTo: (name: string) => string;
  readonly requestBody: string;
  readonly keyForm: string;
  readonly keyForms: Readonly<Record<"X-API-Key" | "Authorization" | "none", string>>;
  readonly noKeyYet: string;
  readonly enterKey: string;
  readonly send: string;
  readonly stop: string;
  readonly sending: string;
  readonly stopped: string;
  readonly dotSegments: string;
  readonly reset: string;
  readonly example: string;
  readonly exampleOf: string;
  readonly clientLabel: string;
  readonly demoKeyInExample: string;
  readonly yourKeyInExample: (word: string) => string;
  readonly clientPackage: string;
  readonly clientHow: string;
  readonly answer: string;
  readonly took: (milliseconds: string) => string;
  readonly unitsLeft: (left: string, limit: string | undefined) => string;
  readonly nextDay: (time: string, age: string) => string;
  readonly retryAfter: (seconds: string) => string;
  readonly headers: string;
  readonly body: string;
  readonly emptyBody: string;
  readonly showAll: (lines: string) => string;
  readonly noAnswerYet: string;
  readonly success: string;
  readonly field: string;
  readonly meaning: string;
  readonly exampleAnswer: string;
  readonly errors: string;
  readonly generalErrors: string;
  readonly exampleBody: string;
}

const en: ReferenceMessages = {
  title: "Reference",
  intro: "Every route of this server. Press Send: the form holds a request that works.",
  about: "About all routes",
  routes: "Routes",
  versionRoutes: "Version 1",
  customRoutes: "Further routes",
  unknownRoute: (id) => `This server has no route named ${id}.`,
  needsKey: "Needs a key",
  needsNoKey: "Needs no key",
  charge: { always: "1 unit, also when it fails", success: "1 unit, given back when it fails", free: "Costs no unit" },
  tryIt: "Try it",
  freely: "Wrong values are sent as they are, so that you can see what the server says.",
  required: "required",
  optional: "optional",
  inPath: "in the path",
  oneOf: (count) => `one of ${count} values`,
  notSent: "not sent",
  otherValue: "another value…",
  otherOf: (name) => `Another value of ${name}`,
  addTo: (name) => `Add to ${name}…`,
  requestBody: "Body",
  keyForm: "Send the key as",
  keyForms: { "X-API-Key": "X-API-Key", Authorization: "Authorization", none: "not at all" },
  noKeyYet: "You have entered no key yet, so the server will answer 401.",
  enterKey: "Enter a key",
  send: "Send",
  stop: "Stop",
  sending: "Waiting for the answer…",
  stopped: "Stopped. The server may have charged the request.",
  dotSegments: "Not sent: a browser takes `.` and `..` out of a path, and would ask for another address. `curl --path-as-is` sends them.",
  reset: "Back to the example",
  example: "Example",
  exampleOf: "Language of the example",
  clientLabel: "Typed client",
  demoKeyInExample: "The example holds the demo key of this server, so it runs as it is.",
  yourKeyInExample: (word) => `Put your key in the place of ${word}. The page never writes a key of yours into an example.`,
  clientPackage: "`mazaneh/client` comes with the package `mazaneh`, which is in no registry.",
  clientHow: "How to get it",
  answer: "Answer",
  took: (milliseconds) => `${milliseconds} ms`,
  unitsLeft: (left, limit) => (limit === undefined ? `${left} units left` : `${left} of ${limit} units left`),
  nextDay: (time, age) => `The next quota day begins on ${time} (${age}).`,
  retryAfter: (seconds) => `Try again after ${seconds} seconds.`,
  headers: "Header fields",
  body: "Body",
  emptyBody: "The body is empty.",
  showAll: (lines) => `Show all ${lines} lines`,
  noAnswerYet: "The answer will appear here.",
  success: "What it answers",
  field: "Field",
  meaning: "Meaning",
  exampleAnswer: "Example of an answer",
  errors: "Errors",
  generalErrors: "Errors of every route",
  exampleBody: "Example",
};

const fa: ReferenceMessages = {
  title: "مرجع",
  intro: "همهٔ مسیرهای این سرور. دکمهٔ «ارسال» را بزنید؛ فرم از پیش با درخواستی درست پر شده است.",
  about: "دربارهٔ همهٔ مسیرها",
  aboutTexts: ({ marketTimeZone, quotaTimeZone, maxCandles }) => [
    "قیمت‌های بازار. کلید را در یکی از دو سرآیند بفرستید، هرگز در نشانی.",
    `همهٔ زمان‌ها به وقت UTC هستند. روزها روزهای ${marketTimeZone} و روزهای سهمیه روزهای ${quotaTimeZone} هستند. قیمت‌های ریالی به ریال‌اند، نه تومان: هر ده ریال یک تومان است.`,
    `پاسخ‌هایی را که با کلید گرفته‌اید می‌توانید با ETag آن‌ها بازبینی کنید؛ سرآیندهای RateLimit و ‎X-RateLimit-*‎ واحدهای مانده را می‌گویند. هر پاسخ حداکثر ${maxCandles} کندل دارد.`,
  ],
  routes: "مسیرها",
  versionRoutes: "نسخهٔ ۱",
  customRoutes: "مسیرهای دیگر",
  unknownRoute: (id) => `این سرور مسیری به نام ${id} ندارد.`,
  needsKey: "کلید لازم دارد",
  needsNoKey: "بدون کلید",
  charge: { always: "یک واحد، حتی اگر ناموفق باشد", success: "یک واحد؛ اگر ناموفق باشد پس داده می‌شود", free: "بدون کسر واحد" },
  tryIt: "امتحان کنید",
  freely: "مقدارهای نادرست هم همان‌طور که هستند فرستاده می‌شوند تا پاسخ سرور را ببینید.",
  required: "الزامی",
  optional: "اختیاری",
  inPath: "در مسیر",
  oneOf: (count) => `یکی از ${count} مقدار`,
  notSent: "فرستاده نشود",
  otherValue: "مقداری دیگر…",
  otherOf: (name) => `مقداری دیگر برای ${name}`,
  addTo: (name) => `\u2067افزودن به ${name}…\u2069`, // stands in a field that is written from left to right
  requestBody: "بدنه",
  keyForm: "فرستادن کلید با",
  keyForms: { "X-API-Key": "X-API-Key", Authorization: "Authorization", none: "بدون کلید" },
  noKeyYet: "هنوز کلیدی وارد نکرده‌اید؛ پاسخ سرور 401 خواهد بود.",
  enterKey: "وارد کردن کلید",
  send: "ارسال",
  stop: "توقف",
  sending: "در انتظار پاسخ…",
  stopped: "متوقف شد. شاید سرور واحدی کم کرده باشد.",
  dotSegments: "فرستاده نشد: مرورگر `.` و `..` را از مسیر برمی‌دارد و نشانی دیگری را می‌خواهد. `curl --path-as-is` آن‌ها را می‌فرستد.",
  reset: "بازگشت به نمونه",
  example: "نمونهٔ کد",
  exampleOf: "زبان نمونه",
  clientLabel: "کلاینت نوع‌دار",
  demoKeyInExample: "کلید آزمایشی این سرور در نمونه آمده است و نمونه همین‌طور که هست اجرا می‌شود.",
  yourKeyInExample: (word) => `کلیدتان را به جای ${word} بگذارید. این صفحه هرگز کلید خودتان را در نمونه نمی‌نویسد.`,
  clientPackage: "`mazaneh/client` در بستهٔ `mazaneh` است و این بسته در هیچ مخزن عمومی نیست.",
  clientHow: "چگونه به دستش بیاورید",
  answer: "پاسخ",
  took: (milliseconds) => `${milliseconds} میلی‌ثانیه`,
  unitsLeft: (left, limit) => (limit === undefined ? `${left} واحد مانده` : `${left} واحد از ${limit} مانده`),
  nextDay: (time, age) => `سهمیهٔ روز بعد در ${time} آغاز می‌شود (${age}).`,
  retryAfter: (seconds) => `پس از ${seconds} ثانیه دوباره امتحان کنید.`,
  headers: "سرآیندها",
  body: "بدنه",
  emptyBody: "بدنه خالی است.",
  showAll: (lines) => `نمایش همهٔ ${lines} سطر`,
  noAnswerYet: "پاسخ سرور اینجا نمایش داده می‌شود.",
  success: "پاسخ موفق",
  field: "فیلد",
  meaning: "معنی",
  exampleAnswer: "نمونهٔ پاسخ",
  errors: "خطاها",
  generalErrors: "خطاهای مشترک همهٔ مسیرها",
  exampleBody: "نمونه",
};

/** The texts in both languages. */
export const MESSAGES: MessageTable<ReferenceMessages> = { en, fa };
