import type { MessageTable } from "../messages.ts";

/** The texts around the guide; the guide itself is `adapters/page/guide/`. */
export const GUIDE: MessageTable<{ readonly contents: string; readonly loading: string }> = {
  en: { contents: "Contents", loading: "The guide is loading…" },
  fa: { contents: "فهرست", loading: "راهنما در حال بارگذاری است…" },
};
