/**
 * Per asset: the first year, then the middle between the lowest and highest value of each year. After each year, add a
 * value. The sources of all tables are archives of bonbast.com and tgju.org, and archives of metal prices. Values that
 * no archive confirms, such as the dollar before 2011, only help to find a power of ten. `CURRENCIES` lacks the
 * lira, which fell too far.
 */
export const MIDDLES: ReadonlyMap<string, readonly number[]> = /* @__PURE__ */ rowsOf(`
USD_RLS 2002 8000 8200 8600 9000 9200 9300 9600 9900 10400 12600 24700 33800 32100 34300 37400 39900 90300 128000 205000 253000 334000 476000 645000 1066000 1626000
TRY_USD 2010 .67 .6 .56 .54 .46 .38 .33 .285 .205 .175 .147 .092 .065 .05 .031 .0254 .022
GOLD_OUNCE_USD 1968 38.5 38.8 36.4 40.4 55.5 88.3 154 158 121 146 198 342 634 484 378 437 353 311 378 441 438 387 382 373 345 365 384 384 391
  321 294 288 289 274 312 367 413 467 615 714 845 993 1230 1580 1660 1420 1260 1170 1210 1250 1260 1410 1740 1810 1820 1940 2330 3420 4550
SILVER_OUNCE_USD 2000 5 4.4 4.6 4.8 6.6 7.3 11 13.4 13.5 14.2 21.4 36.1 31.2 24.5 18.1 15.9 17 16.9 15.7 16.8 18.6 25 21.7 22.8 28 45 64
PLATINUM_OUNCE_USD 2000 530 520 540 690 840 900 1120 1300 1350 1200 1620 1630 1550 1510 1340 1030 984 953 885 882 800 1090 971 983 960 1200 1760`);

/**
 * Coins and the gram of gold: the first year with prices, then the lowest and the highest value of each year, because
 * these prices move so far in a year that a typical value says little. The last range is wide because the year is not
 * over. The last four coins have no archive. The gram is derived from the Emami coin before July 2013, and from the
 * dollar and the ounce since 2024.
 */
export const COINS: ReadonlyMap<string, readonly number[]> = /* @__PURE__ */ rowsOf(`
BTC_USD 2013 68 1151 310 953 178 465 364 976 777 19500 3237 17530 3399 13764 4971 29000 29370 67570 15800 48030 16660 44050 38500 108000 74000 126000 45000 140000
ETH_USD 2015 .43 2.8 .93 20.6 8.1 827 84 1396 104 337 110 752 730 4812 940 3818 1211 2359 2100 4100 1400 4950 1500 5000
BCH_USD 2017 213 3923 77 2895 111 486 152 491 342 1542 96 446 99 303 220 720 250 650 200 1100
LTC_USD 2013 1.7 44.7 2.7 29.2 1.15 7.5 3 5.7 3.7 358 23 297 30 142 30 130 107 387 43 152 58 111 50 147 63 147 35 160
XRP_USD 2013 .0031 .0587 .0028 .0287 .0041 .0244 .0051 .0095 .0054 2.3 .26 3.38 .18 .475 .139 .69 .22 1.84 .3 .9 .34 .83 .38 2.9 1.6 3.7 .8 3.6
ADA_USD 2017 .0185 .72 .028 1.11 .0318 .098 .024 .19 .175 2.97 .24 1.56 .238 .64 .27 1.33 .3 1.3 .14 .8
XLM_USD 2014 .0014 .0062 .0017 .0056 .0014 .0031 .0017 .36 .095 .9 .043 .14 .033 .21 .127 .73 .07 .29 .07 .17 .07 .6 .2 .52 .1 .6
DOGE_USD 2017 .00018 .0094 .0018 .0187 .0018 .0046 .0011 .0057 .0046 .74 .049 .176 .056 .106 .074 .484 .11 .434 .06 .3
BNB_USD 2018 4.1 24.5 4.5 39.5 6.4 43 37 690 183 534 203 351 287 794 500 1375 450 1400
SOL_USD 2021 1.5 260 8 179 9.6 126 79 264 95 294 60 260
TRX_USD 2018 .011 .3 .011 .041 .007 .05 .026 .18 .045 .093 .05 .112 .1 .45 .21 .37 .2 .6
GOLD_18_RLS 2010 275000 374000 363000 656000 615000 1620000 848000 1600000 865000 1060000 876000 1070000 931000 1170000 1090000 1370000 1360000 5490000
  3310000 4940000 4780000 14900000 8980000 13400000 11500000 19900000 18000000 27800000 24800000 52400000 52100000 149000000 110000000 440000000`);

/** A currency's lowest and highest value in dollars. Below the third number, if any, a value may be a dollar price. */
export const CURRENCIES: ReadonlyMap<string, readonly number[]> = /* @__PURE__ */ rowsOf(`
AED .2409 .3573, SAR .2213 .3731, QAR .2246 .382, OMR 2.131 3.626, BHD 2.18 3.692, KWD 2.721 4.544, IQD .000645 .00111, HKD .1066 .1777, CNY .1293 .2046, EUR .934 1.692 .89,
GBP 1.065 1.725 1, CHF .946 1.48, CAD .686 1.058, AUD .578 1.083, NZD .55 .887, JPY .0061 .01102, INR .0103 .0211, PKR .00327 .01076, AFN .00883 .0182, AMD .00179 .00379,
AZN .492 1.307, GEL .292 .612, RUB .00631 .0336, NOK .087 .194, SEK .0856 .166, DKK .1253 .199, SGD .639 1.03, MYR .1998 .355, THB .0248 .0405, BRL .169 .284`);

/** The grams of fine gold in an asset, and the lowest and highest ratio of the asset's price to the gold's value. */
export const GOLD: ReadonlyMap<string, readonly number[]> = /* @__PURE__ */ rowsOf(`
GOLD_18_RLS .75 .6 1.9, GOLD_24_RLS 1 .6 1.9, GOLD_MESGHAL_RLS 3.2489 .6 1.9, PAXG_USD 31.1035 .8 1.25, XAUT_USD 31.1035 .8 1.25,
SEKKEH_RLS 7.3197 .65 2.2, BAHAR_RLS 7.3197 .6 2, NIM_SEKKEH_RLS 3.6599 .65 2.4, ROB_SEKKEH_RLS 1.8299 .7 3.3, GERAMI_SEKKEH_RLS .909 .7 3.9`);

/** Stablecoins, worth a dollar. */
export const STABLE: ReadonlySet<string> = new Set("USDT USDC DAI USDE USD1 USDG PYUSD RLUSD USDD".split(" "));

/** The largest factors by which true values have risen and fallen within `days`, plus a margin. */
export type Widths = readonly (readonly [days: number, rise: number, fall: number])[];

/** After more days than in the last row, any move may be true. */
export const WIDTHS = {
  rial: widths("3 2 2, 14 2.2 2.4, 31 2.6 2.6, 92 3.6 3.1, 183 4.6 3.3, 366 5.8 3.3"),
  ounce: widths("3 1.6 1.6, 14 1.8 1.9, 31 2 2.1, 92 2.4 2.4, 366 3.4 2.8, 731 4.5 2.8, 1461 6.5 3.8"),
  coin: widths("1 3.2 4.2, 2 4.7 4.4, 3 7.5 4.6, 8 9.6 4.6"),
  stable: widths("Infinity 1.6 1.6"),
};

/** How far rial prices may move relative to the dollar, between values that are more than 31 days apart. */
export const OVER_DOLLAR = {
  currency: widths("731 3.4 3, Infinity 4.3 3.9"),
  gold: widths("366 2.8 2.6, 1096 3.5 2.6, Infinity 5 2.6"),
  lira: widths("366 2.2 3.1, 731 4 4, Infinity 8 8"),
};

function widths(rows: string): Widths {
  return rows.split(", ").map((row) => row.split(" ").map(Number) as [days: number, rise: number, fall: number]);
}

function rowsOf(text: string): ReadonlyMap<string, readonly number[]> {
  const rows = text
    .trim()
    .split(/,?\s(?=[A-Z])/)
    .map((row) => row.split(/\s+/));
  return new Map(rows.map(([code = "", ...numbers]) => [code, numbers.map(Number)]));
}
