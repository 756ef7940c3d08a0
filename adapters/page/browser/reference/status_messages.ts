import { ERROR_ADVICE } from "../../guide/error_advice.ts";
import type { MessageTable } from "../messages.ts";

/** What a status means, and what to do. */
export interface StatusMessage {
  readonly title: string;
  readonly text: string;
}

type Table = Readonly<Record<number, readonly [title: string, text: string]>>;

const en: Table = {
  200: ["It worked", "The server has understood the request and answered it."],
  304: ["Nothing has changed", "The answer whose ETag you sent is still the latest. Use your copy."],
  400: ["Something in the request is wrong", "A value is missing or malformed. The message says which one; mend it and send again."],
  401: ["No valid key", "The key is missing, mistyped, expired or revoked, or more than one was sent. It belongs into one header field, never into the URL."],
  403: ["This account has no access", "The key is known, but its account is restricted or disabled. The operator of this server can tell why."],
  404: ["There is nothing here", "The server does not know this asset or this path, or it has no record for that time. Try another asset, another day or a wider range."],
  405: ["Wrong method", "This path exists, but takes another method."],
  408: ["Too slow", "The request did not arrive in time. Check the connection and send it again."],
  413: ["The body is too large", "Send a smaller body."],
  414: ["The address is too long", "Ask for fewer codes at once."],
  415: ["Wrong kind of body", "Send JSON in UTF-8, with Content-Type: application/json."],
  417: ["This range is not possible", "It runs backwards, or its days are more than 31 apart. Ask for longer ranges in pieces."],
  429: ["Too many requests", "QUOTA_EXCEEDED: the units of today are used up. RATE_LIMITED: too many requests in a short time. Wait as long as Retry-After says."],
  431: ["The header is too large", "Send fewer or shorter header fields."],
  500: ["A mistake in the server", "It is not your fault. Try again; if it stays so, give the operator the request id."],
  503: ["The server cannot answer just now", "It is starting, stopping or in trouble. Wait a moment and try again."],
};

const fa: Table = {
  200: ["موفق", "سرور درخواست را فهمید و به آن پاسخ داد."],
  304: ["چیزی عوض نشده است", "پاسخی که ETag آن را فرستادید هنوز تازه‌ترین است. از نسخهٔ خودتان استفاده کنید."],
  400: ["درخواست ایراد دارد", "مقداری جا افتاده یا نادرست نوشته شده است. پیام سرور می‌گوید کدام؛ درستش کنید و دوباره بفرستید."],
  401: ["کلید معتبری در کار نیست", "کلید فرستاده نشده، نادرست، منقضی یا باطل است، یا بیش از یک کلید فرستاده شده است. جای کلید فقط در یک سرآیند است، نه در نشانی."],
  403: ["این حساب دسترسی ندارد", "کلید شناخته شده است، ولی حساب آن محدود یا غیرفعال است. دلیلش را از گردانندهٔ سرور بپرسید."],
  404: ["چیزی پیدا نشد", "سرور این دارایی یا این مسیر را نمی‌شناسد، یا برای آن زمان چیزی ثبت نکرده است. دارایی، روز یا بازهٔ دیگری را امتحان کنید."],
  405: ["متد نادرست", "این مسیر هست، ولی متد دیگری می‌پذیرد."],
  408: ["درخواست دیر رسید", "درخواست تا مهلتش کامل نرسید. اتصال را بررسی کنید و دوباره بفرستید."],
  413: ["بدنه بیش از اندازه بزرگ است", "بدنهٔ کوچک‌تری بفرستید."],
  414: ["نشانی بیش از اندازه بلند است", "در هر درخواست کدهای کمتری بخواهید."],
  415: ["نوع بدنه نادرست است", "بدنه را به صورت JSON و UTF-8 با Content-Type: application/json بفرستید."],
  417: ["این بازه ممکن نیست", "پایان بازه پیش از آغاز آن است، یا دو سر آن بیش از ۳۱ روز فاصله دارند. بازه‌های بلندتر را تکه‌تکه بخواهید."],
  429: ["درخواست بیش از اندازه", "QUOTA_EXCEEDED: سهمیهٔ امروز تمام شده است. RATE_LIMITED: در زمانی کوتاه درخواست‌های زیادی رسید. به اندازه‌ای که Retry-After می‌گوید صبر کنید."],
  431: ["سرآیندها بزرگ‌اند", "سرآیندهای کمتر یا کوتاه‌تری بفرستید."],
  500: ["خطایی در سرور", "ایراد از شما نیست. دوباره امتحان کنید؛ اگر خطا ماند، شناسهٔ درخواست را به گردانندهٔ سرور بدهید."],
  503: ["سرور اکنون نمی‌تواند پاسخ دهد", "در حال شروع یا توقف است یا مشکلی دارد. کمی صبر کنید و دوباره امتحان کنید."],
};

const TABLE: MessageTable<Table> = { en, fa };

/** Explains a status; one that no route documents gets the explanation of its class. */
export function statusMessage(status: number, language: "en" | "fa"): StatusMessage {
  const row = TABLE[language][status] ?? TABLE[language][status < 300 ? 200 : status < 500 ? 400 : 500];
  return { title: row?.[0] ?? "", text: row?.[1] ?? "" };
}

/** What a caller can do about an error, as the guide says it; `undefined` for a code that the guide does not know. */
export function adviceFor(code: string, language: "en" | "fa"): string | undefined {
  const rows: Readonly<Record<string, (typeof ERROR_ADVICE)[keyof typeof ERROR_ADVICE]>> = ERROR_ADVICE;
  return Object.hasOwn(rows, code) ? rows[code]?.[language] : undefined;
}
