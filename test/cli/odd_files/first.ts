// First imports of true prices, with the widest moves there were, and of prices that are wrong as a whole.

import { AT, D, type OddFile } from "./odd_file.ts";

/** A file of one asset. Values at 16:30 in Tehran; in the file they are times `factor`, which the import asks about. */
function series(name: string, truth: string, factor = 1): OddFile {
  const [code = "", ...days] = truth.split(" ");
  const rows = days
    .map((day) => day.split("=") as [string, string])
    .map(([date, value]) => `${date},${Number((Number(value) * factor).toPrecision(12))}`);
  return [
    name,
    ["date,price", ...rows].join("\n"),
    `--code ${code.slice(0, -1)} --day-at 16:30`,
    factor === 1 ? truth : { byCommand: truth },
  ];
}

const YEARS =
  "2014-03-10=30700 2018-10-01=156500 2020-08-10=220000 2022-05-10=293000 2023-01-25=438000 2024-01-15=528000 2025-03-20=998500 2025-10-14=1083000 2026-08-21=1905000";
const AUTUMN =
  "2018-08-26=105500 2018-08-29=109600 2018-09-02=117500 2018-09-03=130000 2018-09-04=138500 2018-09-08=131000 2018-10-01=156500";
const ROUBLE = "2022-03-04=2400 2022-03-06=2060 2022-03-07=1710 2022-03-08=1970 2022-03-09=2150";
const EMAMI =
  "2014-03-10=9780000 2018-10-01=48500000 2020-08-10=107500000 2022-05-10=136000000 2024-01-15=313000000 2026-08-21=1995000000";
const LIRA =
  "2014-03-10=14100 2018-10-01=26200 2020-08-10=30200 2022-05-10=19200 2024-01-15=17550 2025-03-20=26350 2026-08-21=39650";
const YEN = "2014-03-10=300 2018-10-01=1360 2020-08-10=2085 2023-01-25=3370 2025-03-20=6710 2026-08-21=12000";
const GOLD_18 = "2023-12-12=24444000 2023-12-13=24493000 2023-12-14=24823000";

export const FIRST: readonly OddFile[] = [
  series("dollar-years.csv", `USD_RLS: ${YEARS}`),
  series("dollar-autumn-2018.csv", `USD_RLS: ${AUTUMN}`),
  series("rouble-2022.csv", `RUB_RLS: ${ROUBLE}`),
  series("emami-years.csv", `SEKKEH_RLS: ${EMAMI}`),
  series("lira-years.csv", `TRY_RLS: ${LIRA}`),
  series("yen-years.csv", `JPY_RLS: ${YEN}`),
  series("gold-18.csv", `GOLD_18_RLS: ${GOLD_18}`),
  series(
    "iraqi-dinar.csv",
    "IQD_RLS: 2018-10-01=127 2020-08-10=185 2022-05-10=200.5 2024-01-15=403.5 2025-03-20=762.5 2026-08-21=1455",
  ),
  series(
    "gold-ounce.csv",
    "GOLD_OUNCE_USD: 2023-12-15=2019.6 2026-09-20=4380.0442 2026-09-28=4198.3414 2026-09-29=4129.1005",
  ),
  series("bitcoin.csv", "BTC_USD: 2023-12-13=42749.66 2023-12-14=42973.12 2026-09-20=80378.932 2026-09-29=83212.64"),
  series("shiba.csv", "SHIB_USD: 2026-09-20=0.0000053694444 2026-09-28=0.000005747616 2026-09-29=0.0000055793678"),
  series("tether-rial.csv", "USDT_RLS: 2026-08-19=1900000 2026-08-20=1904000 2026-08-21=1902000"),
  series("one-record.csv", "EUR_RLS: 2026-08-21=2224000"),
  series("euro-toman.csv", "EUR_RLS: 2014-03-10=42300 2020-08-10=259650 2024-01-15=578000 2026-08-21=2224000", 0.1),
  series("emami-toman.csv", `SEKKEH_RLS: ${EMAMI}`, 0.1),
  series("gold-18-toman.csv", `GOLD_18_RLS: ${GOLD_18}`, 0.1),
  series("lira-toman.csv", `TRY_RLS: ${LIRA}`, 0.1),
  series("yen-toman.csv", `JPY_RLS: ${YEN}`, 0.1),
  series("dollar-2018-toman.csv", `USD_RLS: ${AUTUMN}`, 0.1),
  series("tether-toman.csv", "USDT_RLS: 2026-08-19=1900000 2026-08-20=1904000 2026-08-21=1902000", 0.1),
  [
    "many-assets.csv",
    "code,date,price\nUSD_RLS,2024-06-03,594500\nUSD_RLS,2024-06-04,591000\nEUR_RLS,2024-06-03,647500\nAED_RLS,2024-06-03,161700\nSEKKEH_RLS,2024-06-03,407500000\nJPY_RLS,2024-06-03,3810",
    AT,
    "USD_RLS: 2024-06-03=594500 2024-06-04=591000 EUR_RLS: 2024-06-03=647500 AED_RLS: 2024-06-03=161700 SEKKEH_RLS: 2024-06-03=407500000 JPY_RLS: 2024-06-03=3810",
  ],
  [
    "many-assets-one-toman.csv",
    "code,date,price\nUSD_RLS,2024-06-03,594500\nUSD_RLS,2024-06-04,591000\nEUR_RLS,2024-06-03,64750\nEUR_RLS,2024-06-04,64300\nAED_RLS,2024-06-03,161700",
    AT,
    { byCommand: "USD_RLS: 2024-06-03=594500 2024-06-04=591000 AED_RLS: 2024-06-03=161700" },
  ],
  [
    "thousand-rial.csv",
    "date,price\n2026-08-19,1903\n2026-08-20,1907\n2026-08-21,1905",
    D,
    { rejected: "all 3 values of USD_RLS look like thousands whose points were read as decimal marks" },
  ],
  [
    "dollar-for-rial.csv",
    "date,price\n2023-12-13,42749.66\n2023-12-14,42973.12",
    "--code BTC_RLS --day-at 16:30",
    { rejected: "dollar-for-rial.csv is named after USD_RLS, although BTC_RLS was given" },
    "code,value,businessTime\nBTC_USD,42973.12,2023-12-14T13:00:00Z\nUSD_RLS,503800,2023-12-14T13:00:00Z",
  ],
];
