/** Texts of the converter, and of the dollar by other ways. */
export const CONVERT = {
  atQuote: ["at the quote of {time}", "با مظنهٔ {time}"],
  onDay: ["at the last quote of {day}", "با آخرین مظنهٔ {day}"],
  amount: ["Amount", "مبلغ"],
  from: ["From", "از"],
  to: ["Into", "به"],
  swap: ["Swap", "جابه‌جایی"],
  day: ["On the day", "در روز"],
  load: ["Load its prices: {units} of your units", "گرفتن قیمت‌های آن روز: {units} واحد از سهمیه"],
  today: ["Latest", "آخرین قیمت"],
  unknown: ["no price of that day", "قیمتی از آن روز نیست"],
  same: ["The same amount in …", "همین مبلغ به …"],
  hint: ["An amount is digits, e.g. 1,500", "مبلغ را با رقم بنویسید؛ مانند ۱٬۵۰۰"],
  byWay: ["The dollar, by way of", "دلار، از راهِ …"],
  ways: [
    { USD_RLS: "Cash, in the market", USDT_RLS: "Tether", AED_RLS: "Dirham × 3.6725", GOLD_18_RLS: "18-karat gram", GOLD_MESGHAL_RLS: "Mesghal", SEKKEH_RLS: "Emami coin" },
    { USD_RLS: "اسکناس، بازار آزاد", USDT_RLS: "تتر", AED_RLS: "درهم × ۳٫۶۷۲۵", GOLD_18_RLS: "گرم ۱۸ عیار", GOLD_MESGHAL_RLS: "مثقال طلا", SEKKEH_RLS: "سکه امامی" },
  ],
} as const;
