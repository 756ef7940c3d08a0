/** The code of a base, its English name, and the Persian name used in the Iranian market. */
export type NameRow = readonly [base: string, en: string, fa: string];

/** All assets but the currencies and crypto assets below: full code, category, English and Persian name. */
export const SINGLE_NAMES = [
  ["USD_RLS", "FX", "US Dollar", "دلار آمریکا"],
  ["EUR_RLS", "FX", "Euro", "یورو"],
  ["SEKKEH_RLS", "COIN", "Emami Gold Coin", "سکه امامی"],
  ["NIM_SEKKEH_RLS", "COIN", "Half Gold Coin", "نیم سکه"],
  ["ROB_SEKKEH_RLS", "COIN", "Quarter Gold Coin", "ربع سکه"],
  ["BAHAR_RLS", "COIN", "Bahar Azadi Gold Coin (Old Design)", "سکه بهار آزادی (طرح قدیم)"],
  ["GERAMI_SEKKEH_RLS", "COIN", "One-Gram Gold Coin", "سکه گرمی"],
  ["GOLD_18_RLS", "GOLD", "18-Karat Gold (Gram)", "طلای ۱۸ عیار"],
  ["GOLD_24_RLS", "GOLD", "24-Karat Gold (Gram)", "طلای ۲۴ عیار"],
  ["GOLD_MESGHAL_RLS", "GOLD", "Gold Mesghal", "مثقال طلا"],
  ["GOLD_OUNCE_USD", "METAL", "Gold Ounce", "انس طلا"],
  ["SILVER_OUNCE_USD", "METAL", "Silver Ounce", "انس نقره"],
  ["PLATINUM_OUNCE_USD", "METAL", "Platinum Ounce", "انس پلاتین"],
  ["STOCK_IR", "INDEX", "Tehran Stock Exchange Overall Index", "شاخص کل بورس تهران"],
] as const;

/** Currencies quoted in rial only. */
export const CURRENCY_NAMES = [
  ["AFN", "Afghan Afghani", "افغانی افغانستان"],
  ["AED", "UAE Dirham", "درهم امارات"],
  ["AMD", "Armenian Dram", "درام ارمنستان"],
  ["AZN", "Azerbaijani Manat", "منات آذربایجان"],
  ["BHD", "Bahraini Dinar", "دینار بحرین"],
  ["BRL", "Brazilian Real", "رئال برزیل"],
  ["GBP", "British Pound", "پوند انگلیس"],
  ["CAD", "Canadian Dollar", "دلار کانادا"],
  ["CHF", "Swiss Franc", "فرانک سوئیس"],
  ["DKK", "Danish Krone", "کرون دانمارک"],
  ["GEL", "Georgian Lari", "لاری گرجستان"],
  ["HKD", "Hong Kong Dollar", "دلار هنگ‌کنگ"],
  ["INR", "Indian Rupee", "روپیه هند"],
  ["IQD", "Iraqi Dinar", "دینار عراق"],
  ["KWD", "Kuwaiti Dinar", "دینار کویت"],
  ["MYR", "Malaysian Ringgit", "رینگیت مالزی"],
  ["NOK", "Norwegian Krone", "کرون نروژ"],
  ["NZD", "New Zealand Dollar", "دلار نیوزیلند"],
  ["OMR", "Omani Rial", "ریال عمان"],
  ["PKR", "Pakistani Rupee", "روپیه پاکستان"],
  ["QAR", "Qatari Riyal", "ریال قطر"],
  ["SAR", "Saudi Riyal", "ریال عربستان"],
  ["SEK", "Swedish Krona", "کرون سوئد"],
  ["SGD", "Singapore Dollar", "دلار سنگاپور"],
  ["THB", "Thai Baht", "بات تایلند"],
  ["TRY", "Turkish Lira", "لیر ترکیه"],
  ["AUD", "Australian Dollar", "دلار استرالیا"],
  ["JPY", "Japanese Yen", "ین ژاپن"],
  ["CNY", "Chinese Yuan", "یوان چین"],
  ["RUB", "Russian Ruble", "روبل روسیه"],
] as const satisfies readonly NameRow[];

/** Crypto bases, each quoted in US dollar and in rial. */
export const CRYPTO_NAMES = [
  ["BTC", "Bitcoin", "بیت‌کوین"],
  ["ETH", "Ethereum", "اتریوم"],
  ["USDT", "Tether", "تتر"],
  ["BNB", "BNB", "بایننس‌کوین"],
  ["XRP", "XRP", "ریپل"],
  ["USDC", "USD Coin", "یواس‌دی کوین"],
  ["SOL", "Solana", "سولانا"],
  ["TRX", "TRON", "ترون"],
  ["HYPE", "Hyperliquid", "هایپرلیکوئید"],
  ["DOGE", "Dogecoin", "دوج‌کوین"],
  ["ZEC", "Zcash", "زی‌کش"],
  ["LINK", "Chainlink", "چین‌لینک"],
  ["ADA", "Cardano", "کاردانو"],
  ["XLM", "Stellar", "استلار"],
  ["DAI", "Dai", "دای"],
  ["BCH", "Bitcoin Cash", "بیت‌کوین کش"],
  ["USDE", "Ethena USDe", "یواس‌دی‌ای اتنا"],
  ["USD1", "World Liberty Financial USD", "یواس‌دی‌وان ورلد لیبرتی"],
  ["CC", "Canton", "کانتون"],
  ["LTC", "Litecoin", "لایت‌کوین"],
  ["USDG", "Global Dollar", "گلوبال دلار"],
  ["HBAR", "Hedera", "هدرا"],
  ["AVAX", "Avalanche", "آوالانچ"],
  ["SUI", "Sui", "سویی"],
  ["SHIB", "Shiba Inu", "شیبا اینو"],
  ["PYUSD", "PayPal USD", "پی‌پال یواس‌دی"],
  ["XAUT", "Tether Gold", "تتر گلد"],
  ["CRO", "Cronos", "کرونوس"],
  ["TAO", "Bittensor", "بیت‌تنسور"],
  ["UNI", "Uniswap", "یونی‌سواپ"],
  ["NEAR", "NEAR Protocol", "نیر پروتکل"],
  ["OKB", "OKB", "اوکی‌بی"],
  ["PAXG", "PAX Gold", "پکس گلد"],
  ["WLFI", "World Liberty Financial", "ورلد لیبرتی فایننشال"],
  ["RLUSD", "Ripple USD", "ریپل یواس‌دی"],
  ["ASTER", "Aster", "استر"],
  ["ONDO", "Ondo", "اوندو"],
  ["MNT", "Mantle", "منتل"],
  ["M", "MemeCore", "میم‌کور"],
  ["USDD", "Decentralized USD", "یواس‌دی‌دی"],
  ["AAVE", "Aave", "آوه"],
  ["PUMP", "Pump.fun", "پامپ‌فان"],
  ["SKY", "Sky", "اسکای"],
  ["DOT", "Polkadot", "پولکادات"],
  ["WLD", "Worldcoin", "ورلدکوین"],
  ["ICP", "Internet Computer", "اینترنت کامپیوتر"],
  ["PEPE", "Pepe", "پپه"],
  ["ATOM", "Cosmos", "کازماس"],
] as const satisfies readonly NameRow[];

type Single = (typeof SINGLE_NAMES)[number][0];
type Currency = (typeof CURRENCY_NAMES)[number][0];
type Crypto = (typeof CRYPTO_NAMES)[number][0];

/**
 * The codes of all these assets, as literals: `"USD_RLS"` is one, `"USD_RLX"` does not compile. Source:
 * contract, Supported asset codes.
 */
export type KnownAssetCode = Single | `${Currency}_RLS` | `${Crypto}_${"USD" | "RLS"}`;
