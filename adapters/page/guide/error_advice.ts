import type { ErrorCode } from "../../../core/mod.ts";

/** The languages of the documentation. */
export type GuideLanguage = "en" | "fa";

/** What a caller can do about an error. It follows the message of the error table. A code without its row does not compile. */
const ADVICE: Readonly<Record<ErrorCode, string>> = {
  INVALID_REQUEST: "Look at the path and the query: percent signs that encode nothing, characters that need encoding, too many parameters.",
  INVALID_CODES: "Take the codes from the catalog, in upper case, with commas between them and without an empty one.",
  INVALID_FILTER: "The message names the values that `category` and `quoteUnit` may have.",
  INVALID_DATE: "Write the day as in `2026-03-10`. The message converts a Jalali day that is no Gregorian one, as `1405-02-31`. One such as `1405-08-01` is taken for a Gregorian day long ago: the answer is `404 ASSET_NOT_FOUND` or an empty history, and its message or `X-Notice` converts it.",
  MISSING_PARAMETER: "Add the parameter that the message names.",
  DUPLICATE_PARAMETER: "Several codes belong into one `codes` with commas between them. Many libraries repeat the name instead: see [the part on clients](#clients).",
  INVALID_INTERVAL: "Other widths can be put together from smaller candles.",
  INVALID_TIMESTAMP: "Send a full time with a `Z` at its end, not a day alone and no other zone.",
  INVALID_OHLC_RANGE: "Or the range holds more candles than one answer may: the message says how long it can be.",
  INVALID_BODY: "Send `{\"fromDate\":\"2026-03-01\",\"toDate\":\"2026-03-10\"}` and nothing else.",
  API_KEY_MISSING: "Ask the operator for a key if you have none.",
  API_KEY_INVALID: "Copy it again, whole and without quotation marks. It may also have expired or been revoked; then only a new one helps.",
  CONFLICTING_CREDENTIALS: "Often a proxy or a library adds an `Authorization` field of its own.",
  ACCESS_RESTRICTED: "The key is right. Only the operator can lift this.",
  ASSET_NOT_FOUND: "Either there is no such code, and the message brings similar ones, or the day has no record: take the day before, or a history.",
  OHLC_NOT_FOUND: "The message says from when to when there are records.",
  ROUTE_NOT_FOUND: "Look for a slash at the end, an empty part of the path, or a missing `/api/v1`.",
  METHOD_NOT_ALLOWED: "The header field `Allow` names those that it takes.",
  REQUEST_TIMEOUT: "Send it again, at once and whole.",
  BODY_TOO_LARGE: "Two dates are all that a body holds here.",
  URI_TOO_LONG: "Ask for fewer codes at once, or for all of them without `codes`.",
  UNSUPPORTED_MEDIA_TYPE: "Set this header field on the POST.",
  INVALID_DATE_RANGE: "Swap the two, or ask in pieces whose two days are at most 31 days apart.",
  QUOTA_EXCEEDED: "Wait for `Retry-After` seconds; no earlier request gets through. A larger plan is the operator's to give.",
  RATE_LIMITED: "Spread your requests, or ask for more in one of them.",
  HEADERS_TOO_LARGE: "Cookies of another service at the same address are the usual reason.",
  INTERNAL_ERROR: "Try again once; if it stays, send the operator the `requestId`.",
  UNAVAILABLE: "Wait for `Retry-After` seconds, and longer each time it happens again.",
};

/** What is wrong and what to do in Persian, which the API does not speak. */
const PERSIAN: Readonly<Record<ErrorCode, string>> = {
  INVALID_REQUEST: "درخواست درست نوشته نشده است. مسیر و پارامترها را ببینید: نویسه‌ای که باید کدگذاری شود، علامت درصدِ بی‌جا، یا پارامترهای بیش از اندازه.",
  INVALID_CODES: "`codes` نادرست است. کدها را از فهرست دارایی‌ها بردارید، با حروف بزرگ بنویسید، میانشان ویرگول بگذارید و جای خالی میان دو ویرگول نگذارید.",
  INVALID_FILTER: "فهرست دارایی‌ها این مقدارِ `category` یا `quoteUnit` را نمی‌شناسد. مقدارهای ممکن در پیام آمده‌اند.",
  INVALID_DATE: "تاریخ نادرست است. روز را به میلادی و مانند `2026-03-10` بنویسید. برای تاریخی شمسی که در تقویم میلادی نیست، مانند `1405-02-31`، پیام معادل میلادی را می‌گوید. ولی `1405-08-01` روزی میلادی در قرن‌ها پیش به حساب می‌آید: پاسخ `404 ASSET_NOT_FOUND` یا تاریخچهٔ خالی است و معادل میلادی در پیام یا سرآیند `X-Notice` می‌آید.",
  MISSING_PARAMETER: "پارامتری لازم فرستاده نشده است. نامش در پیام آمده است.",
  DUPLICATE_PARAMETER: "یک پارامتر دو بار آمده است. چند کد را در یک `codes` با ویرگول میانشان بنویسید. بسیاری از کتابخانه‌ها نام را تکرار می‌کنند؛ [بخش کلاینت‌ها](#clients) را ببینید.",
  INVALID_INTERVAL: "طول کندل یکی از `15m`، `1h`، `4h` و `1d` است. طول‌های دیگر را از کندل‌های کوچک‌تر بسازید.",
  INVALID_TIMESTAMP: "زمان نادرست است. زمان کامل را به وقت UTC و با `Z` در پایان بنویسید، مانند `2026-01-31T00:00:00Z`؛ روزِ تنها یا منطقهٔ زمانی دیگر پذیرفته نیست.",
  INVALID_OHLC_RANGE: "بازهٔ کندل نادرست است: یا `from` پیش از `to` نیست، یا کندل‌ها بیش از گنجایش یک پاسخ‌اند؛ بلندترین بازهٔ ممکن در پیام آمده است.",
  INVALID_BODY: "بدنهٔ درخواست نادرست است. فقط `{\"fromDate\":\"2026-03-01\",\"toDate\":\"2026-03-10\"}` را بفرستید.",
  API_KEY_MISSING: "کلید فرستاده نشده است. آن را در سرآیند `X-API-Key` یا به شکل `Authorization: ApiKey` بفرستید؛ کلیدِ درون نشانی خوانده نمی‌شود. اگر کلید ندارید از گرداننده بگیرید.",
  API_KEY_INVALID: "کلید معتبر نیست. دوباره آن را کامل و بدون گیومه کپی کنید. شاید هم منقضی یا باطل شده باشد؛ آن‌وقت فقط کلید تازه چاره است.",
  CONFLICTING_CREDENTIALS: "دو کلید متفاوت، یا توکن `Bearer` در کنار کلید آمده است. یک کلید را در یک سرآیند بفرستید. خیلی وقت‌ها پروکسی یا کتابخانه‌ای خودش سرآیند `Authorization` را اضافه می‌کند.",
  ACCESS_RESTRICTED: "کلید درست است، ولی دسترسی این حساب بسته یا محدود شده است. فقط گرداننده می‌تواند بازش کند.",
  ASSET_NOT_FOUND: "یا چنین کدی نیست، که پیام کدهای نزدیک به آن را می‌آورد، یا آن روز رکوردی ندارد: روز پیش از آن یا تاریخچه را بگیرید.",
  OHLC_NOT_FOUND: "در این بازه کندلی نیست. پیام می‌گوید رکوردها از کی تا کی هستند.",
  ROUTE_NOT_FOUND: "چنین مسیری نیست. خط کج (`/`) در پایان، بخش خالی در مسیر یا نبودن `/api/v1` را بررسی کنید.",
  METHOD_NOT_ALLOWED: "این مسیر چنین متدی ندارد. متدهای ممکن در سرآیند `Allow` آمده‌اند.",
  REQUEST_TIMEOUT: "درخواست به‌موقع نرسید. دوباره و یکجا بفرستید.",
  BODY_TOO_LARGE: "بدنهٔ درخواست بزرگ‌تر از 8192 بایت است. اینجا بدنه فقط دو تاریخ دارد.",
  URI_TOO_LONG: "نشانی درخواست بیش از اندازه بلند است. کدهای کمتری بنویسید، یا همه را بدون `codes` بگیرید.",
  UNSUPPORTED_MEDIA_TYPE: "بدنه باید با `Content-Type: application/json` و به UTF-8 فرستاده شود. این سرآیند را به درخواست POST اضافه کنید.",
  INVALID_DATE_RANGE: "بازه وارونه است، یا دو سر آن بیش از 31 روز فاصله دارند. دو سر را جابه‌جا کنید، یا بازه را تکه‌تکه بگیرید، با حداکثر 31 روز فاصله میان دو سر هر تکه.",
  QUOTA_EXCEEDED: "سهمیهٔ امروز تمام شده است. به اندازهٔ `Retry-After` ثانیه صبر کنید؛ هیچ درخواستی زودتر از آن پاسخ نمی‌گیرد. طرح بزرگ‌تر را گرداننده می‌دهد.",
  RATE_LIMITED: "درخواست‌ها در زمان کوتاه بیش از اندازه بوده‌اند و واحدی کم نشده است. به اندازهٔ `Retry-After` ثانیه صبر کنید و درخواست‌ها را پخش کنید، یا در هر کدام چیز بیشتری بگیرید.",
  HEADERS_TOO_LARGE: "سرآیندهای درخواست زیاد یا بزرگ‌اند. بیشتر وقت‌ها کوکی‌های سرویس دیگری در همین نشانی باعث آن می‌شوند.",
  INTERNAL_ERROR: "چیزی در سرور درست کار نکرده است. یک بار دیگر امتحان کنید؛ اگر باز هم همان بود `requestId` را برای گرداننده بفرستید.",
  UNAVAILABLE: "سرور فعلاً نمی‌تواند پاسخ بدهد. به اندازهٔ `Retry-After` ثانیه صبر کنید، و هر بار که تکرار شد بیشتر.",
};

/** What is wrong and what to do, with `code` between backticks and links to `#parts` of the guide. */
export function errorText({ code, message }: { readonly code: string; readonly message: string }, language: GuideLanguage): string {
  const known = code as ErrorCode; // the document has the codes of the error table alone
  return language === "fa" ? PERSIAN[known] : `${message}. ${ADVICE[known]}`;
}
