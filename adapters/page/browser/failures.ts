import { PriceError } from "../../client/mod.ts";
import type { QuotaExceeded } from "../../client/mod.ts";
import type { Format } from "./format.ts";
import { PAGE } from "./messages.ts";
import type { Language } from "./preferences.ts";
import { fill, textsIn } from "./texts.ts";

/** What is known of a call that failed: what its answer told, or of a network failure only the message. */
export type CallFailure = Pick<PriceError, "message"> & { readonly [Name in "status" | "code" | "requestId" | "resetsAt"]?: QuotaExceeded[Name] | undefined };

/** Reads what a call has thrown. */
export function failureOf(thrown: unknown): CallFailure {
  return thrown instanceof PriceError ? thrown : { message: String(thrown) };
}

/** A failure in words for people: what happened, what to do next, and whether another key would help. */
export function explain(failure: CallFailure, language: Language, format: Format) {
  const kind = kindOf(failure);
  const [title, text] = MESSAGES[language][kind];
  const again = failure.resetsAt === undefined ? "" : `${fill(textsIn(PAGE, language).resets, { time: format.dateTimeInZone(failure.resetsAt) })} `;
  return { title, text: `${again}${text}`, wantsKey: kind === "noKey" || kind === "wrongKey" || kind === "quota" };
}

type Kind = keyof (typeof MESSAGES)["en"];

function kindOf({ status, code }: CallFailure): Kind {
  if (code === "FILE_NOT_LOADED") return "file";
  if (!status) return "network";
  if (code === "API_KEY_MISSING") return "noKey";
  if (code === "RATE_LIMITED") return "tooFast";
  if (code === "UNEXPECTED_ANSWER") return "stranger";
  if (status >= 500) return status === 503 ? "busy" : "broken";
  return BY_STATUS[status] ?? "refused";
}

const BY_STATUS: Readonly<Record<number, Kind>> = { 401: "wrongKey", 403: "restricted", 404: "notFound", 408: "network", 429: "quota" };

/** Title, and what to do next. */
const MESSAGES = {
  en: {
    noKey: ["This needs an API key", "Enter yours above. It stays in this tab, or on this device if you say so."],
    wrongKey: ["The server does not accept this key", "Check that it was copied as a whole. It may also have been revoked, or have expired."],
    restricted: ["This account may not ask for prices", "It is restricted or disabled. The operator of this server can tell why."],
    notFound: ["There is no price for this", "Nothing is stored for this asset in this time. Try another day, a wider range or another asset."],
    quota: ["The units of today are used up", "Another key works at once."],
    tooFast: ["Too many requests in a short time", "Nothing was charged. Wait a few seconds, then try again."],
    refused: ["The server did not accept this request", "Its message says what was wrong."],
    busy: ["The server cannot answer just now", "Wait a moment, then try again."],
    broken: ["Something went wrong in the server", "Try again. If it stays so, give the operator the request id."],
    stranger: ["This is not an answer of the API", "Something between this page and the server may have answered in its place: a proxy, or the login page of a network. Reload the page."],
    file: ["A part of this page could not be loaded", "Check your connection and whether the server runs, then try again. If it stays so, reload the page."],
    network: ["The server cannot be reached", "Check your connection and whether the server runs, then try again."],
  },
  fa: {
    noKey: ["این بخش کلید API می‌خواهد", "کلیدتان را در بالای صفحه وارد کنید. کلید در همین برگه می‌ماند، یا اگر بخواهید روی همین دستگاه."],
    wrongKey: ["سرور این کلید را نمی‌پذیرد", "بررسی کنید که کلید را کامل کپی کرده باشید. شاید هم باطل یا منقضی شده باشد."],
    restricted: ["این حساب اجازهٔ گرفتن قیمت ندارد", "حساب محدود یا غیرفعال است. دلیل آن را از گردانندهٔ این سرور بپرسید."],
    notFound: ["برای این درخواست قیمتی نیست", "برای این دارایی در این زمان چیزی ثبت نشده است. روز دیگر، بازهٔ بلندتر یا دارایی دیگری را امتحان کنید."],
    quota: ["سهمیهٔ امروز تمام شده است", "با کلیدی دیگر همین حالا می‌توانید ادامه دهید."],
    tooFast: ["درخواست‌ها در زمانی کوتاه بیش از اندازه بودند", "چیزی از سهمیه کم نشد. چند ثانیه صبر کنید و دوباره امتحان کنید."],
    refused: ["سرور این درخواست را نپذیرفت", "پیام سرور می‌گوید مشکل چیست."],
    busy: ["سرور اکنون نمی‌تواند پاسخ دهد", "کمی صبر کنید و دوباره امتحان کنید."],
    broken: ["در سرور خطایی رخ داد", "دوباره امتحان کنید. اگر خطا ماند، شناسهٔ درخواست را به گردانندهٔ سرور بدهید."],
    stranger: ["این پاسخ از API نیست", "شاید چیزی میان این صفحه و سرور به جای آن پاسخ داده باشد: پروکسی یا صفحهٔ ورود یک شبکه. صفحه را از نو بارگذاری کنید."],
    file: ["بخشی از این صفحه بارگذاری نشد", "اتصال خود و روشن بودن سرور را بررسی کنید و دوباره امتحان کنید. اگر باز هم نشد، صفحه را از نو بارگذاری کنید."],
    network: ["سرور در دسترس نیست", "اتصال خود و روشن بودن سرور را بررسی کنید و دوباره امتحان کنید."],
  },
} as const;
