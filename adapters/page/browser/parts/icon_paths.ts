/** The logo, the letter ظ of «مظنه», in a box of 26 × 26. Its dot is only visible with round line caps. */
export const SIGN = "M10 5v13H6M10 18c2-4 4.5-6 7-6 2.2 0 3.5 1.1 3.5 2.9 0 2-1.7 3.1-4.5 3.1h-6M15.5 7.5h.01";

/** The strokes of the icons, in a box of 18 × 18. */
export const PATHS = {
  search: "M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11ZM12 12l4 4",
  menu: "M2.5 5h13M2.5 9h13M2.5 13h13",
  moon: "M15 10.8A6.3 6.3 0 1 1 7.2 3a5 5 0 0 0 7.8 7.8Z",
  sun: "M9 12a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM9 1.5v1.7M9 14.8v1.7M1.5 9h1.7M14.8 9h1.7M3.7 3.7l1.2 1.2M13.1 13.1l1.2 1.2M3.7 14.3l1.2-1.2M13.1 4.9l1.2-1.2",
  key: "M6.5 14.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM8.7 9.3l6-6M12.5 5.5l2 2",
  clock: "M9 15.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM9 5.5V9l2.5 1.5",
  star: "m9 2.4 2 4.2 4.6.6-3.4 3.2.9 4.6L9 12.7 4.9 15l.9-4.6L2.4 7.2 7 6.6Z",
  market: "m2 13 4.5-4.5 3 3L16 5M11.5 5H16v4.5",
  coins: "M9 16A7 7 0 1 0 9 2a7 7 0 0 0 0 14ZM9 12.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7Z",
  convert: "M2.5 6h13M12 2.5 15.5 6 12 9.5M15.5 12h-13M6 8.5 2.5 12 6 15.5",
  swap: "M6 3v11m0 0-3-3m3 3 3-3M12 15V4m0 0-3 3m3-3 3 3",
  reference: "m6 5-4 4 4 4M12 5l4 4-4 4",
  guide: "M9 4.5C7 3 4.5 3 2.5 3.5v11C4.5 14 7 14 9 15.5c2-1.5 4.5-1.5 6.5-1v-11C13.5 3 11 3 9 4.5Zm0 0v11",
  share: "M9 11V2.5m0 0L6 5.5M9 2.5l3 3M5 8H3.5v7.5h11V8H13",
  plus: "M9 4v10M4 9h10",
  calendar: "M3 4.5h12v11H3ZM3 8h12M6 2.5v3.5M12 2.5v3.5",
  copy: "M6.5 6.5h8v8h-8ZM4 11.5H3.5v-8h8V4",
  download: "M9 2.5v8m0 0L5.5 7M9 10.5 12.5 7M3 15h12",
  expand: "M6.5 3H3v3.5M11.5 3H15v3.5M6.5 15H3v-3.5M11.5 15H15v-3.5",
  close: "m4 4 10 10M14 4 4 14",
  warning: "M9 3 16 15.2H2ZM9 7.5v3.5M9 13h.01",
  lock: "M4.5 8.5h9v6h-9ZM6.5 8.5V6a2.5 2.5 0 0 1 5 0v2.5",
} as const;
