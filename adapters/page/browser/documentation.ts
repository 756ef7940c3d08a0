import type { PageSettings } from "../page_settings.ts";

/** The address of documentation elsewhere; `undefined` where it is this page. A path is one of the whole host, as in the status answer. */
export function documentationOf({ documentationUrl }: Pick<PageSettings, "documentationUrl">, baseUrl: string): string | undefined {
  if (documentationUrl === undefined) return undefined;
  const here = `${baseUrl}/docs`;
  const url = URL.canParse(documentationUrl, here) ? new URL(documentationUrl, here) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || `${url.origin}${url.pathname}` === here) return undefined;
  return url.href;
}
