/**
 * Names that public programs, sites and people use for a base, besides its code and the names in `asset_names.ts`. An
 * ambiguous name is listed with each of its bases. Case, spaces, signs and Arabic letters do not matter: see `fold`.
 */
export const ALIASES: Readonly<Record<string, string>> = {
  USD: "دلار|دلار آزاد|دلار بازار آزاد|دالر|دولار|dollar|us dollars|american dollar|united states dollar|price_dollar_rl",
  EUR: "یورو اروپا|euros|yoro|€",
  AFN: "افغانی|afghani|؋",
  AED: "درهم|درهم دبی|درهم امارات متحده عربی|dirham|dubai dirham|derham|emirati dirham|united arab emirates dirham|aed_note",
  AMD: "درام|dram|֏",
  AZN: "منات|مانات آذربایجان|منات جمهوری آذربایجان|manat|azerbaijan manat|₼",
  BHD: "دینار|dinar|bahrain dinar",
  GBP: "پوند|استرلینگ|پوند استرلینگ|پوند بریتانیا|پوند انگلستان|pound|sterling|pound sterling|uk pound|great british pound|pond|£",
  CAD: "دلار کانادایی|دالر کانادا|دلار کاندا|canada dollar",
  CHF: "فرانک|فرانک سویس|franc",
  DKK: "کرون|krone|krona",
  GEL: "لاری|lari|₾",
  INR: "روپیه|rupee|₹",
  IQD: "دینار|دینار عراقی|dinar|iraq dinar|dinar aragh",
  KWD: "دینار|dinar|kuwait dinar",
  MYR: "رینگیت|ringgit",
  NOK: "کرون|کرون ناروی|krone|krona",
  NZD: "دلار زلاند نو|دلار نیوزلند",
  OMR: "oman rial",
  PKR: "روپیه|کلدار|کلدار پاکستان|rupee|pakistan rupee",
  QAR: "qatari rial|qatar riyal",
  SAR: "ریال سعودی|ریال عربستان سعودی|saudi rial|ksa riyal|saudi arabian riyal",
  SEK: "کرون|کرون سویدن|krone|krona",
  THB: "بات|باهت تایلند|baht",
  TRY: "لیر|لیره|لیره ترکیه|لیر ترک|lira|tl|₺",
  AUD: "دالر استرالیا|australia dollar",
  JPY: "ین|ین جاپان|yen|¥",
  CNY: "یوان|yuan|renminbi|rmb|¥",
  RUB: "روبل|ruble|rouble|russian rouble|₽",
  SEKKEH:
    "سکه|امامی|تمام امامی|سکهی امامی|سکه طرح امامی|سکه طرح جدید|سکه تمام طرح جدید|سکه بهار آزادی طرح جدید|تمام بهار آزادی طرح جدید|سکه تمام بهار آزادی طرح جدید" +
    "|سکه تمام بهار آزادی امامی|سکه تمام|تمام سکه|تمام بهار|سکه تمام بهار|سکه تمام بهار آزادی|سکه تمام آزادی|full coin|coin full|emami|emami coin|coin emami|sekke" +
    "|sekke emami|emami sekkeh|sekkeh emami|new design bahar azadi coin|full new|sekee|ir coin emami|emami1",
  BAHAR:
    "بهار|آزادی|بهار آزادی|سکه آزادی|سکه بهار آزادی|سکه طرح قدیم|سکه تمام طرح قدیم|تمام بهار آزادی طرح قدیم|سکه تمام بهار آزادی طرح قدیم" +
    "|سکه تمام|تمام سکه|تمام بهار|سکه تمام بهار|سکه تمام بهار آزادی|سکه تمام آزادی|full coin|coin full|azadi|azadi coin|coin azadi|sekke azadi|bahar azadi|bahar azadi coin" +
    "|coin bahar|coin baharazadi|old design bahar azadi coin|full old|sekeb|ir coin bahar|azadi1",
  NIM_SEKKEH:
    "نیم|سکه نیم|نیم بهار آزادی|نیم سکه بهار آزادی|nim|nim sekke|half coin|coin half|coin half azadi|half azadi|½ azadi|coin baharazadi nim|ir coin half|azadi1_2",
  ROB_SEKKEH:
    "ربع|سکه ربع|ربع بهار آزادی|ربع سکه بهار آزادی|rob|rob sekke|quarter coin|coin quarter|coin quarter azadi|quarter azadi|¼ azadi|coin baharazadi rob|ir coin quarter|azadi1_4",
  GERAMI_SEKKEH:
    "گرمی|گرمی سکه|سکه یک گرمی|سکه ۱ گرمی|gerami|gerami coin|coin gerami|sekke gerami|coin gram|one gram coin|1g coin|ir coin 1g|azadi1g",
  GOLD_18:
    "طلا|گرم طلا|یک گرم طلا|طلای ۱۸|طلا ۱۸|طلا ۱۸ عیار|گرم طلای ۱۸|گرم طلای ۱۸ عیار|یک گرم طلای ۱۸ عیار|گرم ۱۸ عیار|۱۸ عیار|طلای هجده عیار|طلای هیجده عیار|طلای ۷۵۰" +
    "|طلای ۱۸ عیار ۷۵۰|gold|tala|gold gram|18k|18k gold|gold 18k|18 karat gold|18 carat gold|gold gram 18k|18k gold gram|gold 18k gram|750 gold|18ayar|گرم ۱۸|۷۵۰ عیار|عیار ۷۵۰|عیار ۱۸|18 karat|18 carat|g18|gol18|geram18|ir gold 18k",
  GOLD_24:
    "گرم ۲۴|عیار ۲۴|۹۹۹ عیار|عیار ۹۹۹|24k|24 karat|24 carat|طلای ۲۴|طلا ۲۴|طلا ۲۴ عیار|گرم طلای ۲۴ عیار|یک گرم طلای ۲۴ عیار|گرم ۲۴ عیار|۲۴ عیار|طلای بیست و چهار عیار|24k gold|tala 24|gold 24k|24 karat gold|24 carat gold|24k gold gram" +
    "|g24|geram24|ir gold 24k",
  GOLD_MESGHAL:
    "مثقال|یک مثقال طلا|مظنه|مظنه طلا|مظنه مثقال|مثقال طلا مظنه|مسقال|مثقال طلای آبشده|mesghal|mesqal|mithqal|gold mithqal|gold miskal|abshodeh",
  GOLD_OUNCE:
    "انس|اونس|اونس طلا|انس جهانی|اونس جهانی|انس جهانی طلا|اونس جهانی طلا|طلای جهانی|gold|ounce|oz|ounce of gold|gold troy ounce|spot gold|global gold ounce|xau|ons|ons gold|usd_xau",
  SILVER_OUNCE:
    "اونس نقره|انس جهانی نقره|اونس جهانی نقره|نقره جهانی|ounce of silver|silver troy ounce|spot silver|ons silver|xag",
  PLATINUM_OUNCE: "اونس پلاتین|انس جهانی پلاتین|پلاتین جهانی|ounce of platinum|platinum troy ounce|spot platinum|xpt",
  STOCK_IR:
    "شاخص|بورس|شاخص کل|شاخص بورس|شاخص بورس تهران|شاخص کل بورس|شاخص کل بورس اوراق بهادار تهران|bourse|bors|shakhes|tedpix|tse|tse index|tse overall index|tehran stock index|tehran bourse index",
  BTC: "بیت|بیت کویین|bitcon|xbt",
  ETH: "اتر|اتریم|ether|etherium|etherem",
  USDT: "دلار تتر|tether usdt",
  BNB: "بایننس|بی ان بی|binance coin",
  XRP: "ایکس آر پی|ripple",
  USDC: "یو اس دی سی",
  TRX: "ترونیکس|tronix",
  HYPE: "HYPE32196",
  DOGE: "دوج|داج کوین|xdg",
  ZEC: "زدکش",
  USDE: "یو اس دی ای",
  USD1: "یو اس دی وان|usd1 wlfi",
  CC: "کانتون کوین|canton network",
  LTC: "لایت",
  HBAR: "hedera hashgraph",
  AVAX: "avalanche 2",
  SUI: "SUI20947",
  SHIB: "شیبا",
  PYUSD: "پی پل یو اس دی",
  CRO: "crypto com chain",
  UNI: "یونی|UNI7083",
  NEAR: "نیر|near",
  PAXG: "پکسوس گلد",
  ASTER: "aster 2",
  ONDO: "ondo finance",
  USDD: "دلار غیرمتمرکز",
  AAVE: "aave new",
  PUMP: "پامپ",
  SKY: "SKY33038",
  WLD: "worldcoin wld",
  ATOM: "اتم|cosmos hub",
};

/** A service whose tables have their own names, unit and scales. */
export interface PriceService {
  readonly name: "bonbast" | "tgju" | "nobitex";
  /** Names that only this service uses, and how many of them are needed to identify its tables. */
  readonly marks: RegExp;
  readonly markCount: number;
  /** The unit of values for codes that end in `_RLS`. */
  readonly unit: "rial" | "toman";
  /** The number of units that a price is for, by base. For bases not listed here, a price is for one unit. */
  readonly per: Readonly<Record<string, number>>;
  /** The codes for names that have another meaning in other tables. */
  readonly names: Readonly<Record<string, string>>;
}

/** The known services. */
export const PRICE_SERVICES: readonly PriceService[] = [
  {
    name: "bonbast",
    unit: "toman",
    per: { JPY: 10, AMD: 10, IQD: 100 },
    names: { usd1: "USD_RLS", bitcoin: "BTC_USD" },
    marks: /^(?:(?:usd|eur|gbp|jpy|aed|try)[12]|emami12?|azadi1[24g]?|azadi1_[24]2?|gol18|mithqal)$/,
    markCount: 2,
  },
  {
    name: "tgju",
    unit: "rial",
    per: { JPY: 100 },
    names: { silver: "SILVER_OUNCE_USD", platinum: "PLATINUM_OUNCE_USD", gc30: "STOCK_IR" },
    marks: /^(?:price_dollar_rl|(?:retail_)?seke[eb]|geram(?:18|24))$/,
    markCount: 1,
  },
  {
    name: "nobitex",
    unit: "rial",
    per: { SHIB: 1_000 },
    names: {},
    marks: /^(?:nobitex|(?:btc|eth|usdt|ltc|xrp|bch|bnb|doge|trx|shib)-rls)$/,
    markCount: 1,
  },
];
