// The documentation as one text for machines that read: GET /docs.md.
import type { OpenApiDocument } from "../../core/openapi/mod.ts";
import { withErrors } from "./guide/guide_text.ts";
import { fillGuide, guideValues } from "./guide/guide_values.ts";
import { markdownCode, markdownTable } from "./markdown.ts";
import type { PageSettings } from "./page_settings.ts";
import { referenceMarkdown } from "./reference_markdown.ts";

/** What the texts for machines are made from. */
export interface TextSources {
  readonly settings: Pick<PageSettings, "application" | "assets" | "marketTimeZone" | "quotaTimeZone" | "staleThresholdMinutes" | "maxCandles" | "documentationUrl">;
  /** The OpenAPI document of the same settings. */
  readonly document: OpenApiDocument;
}

/**
 * Makes the whole documentation: the guide, and the reference with every route, field, error code and asset.
 *
 * @param guide The English guide, as `guide/en.md` has it; its section on errors has every error code.
 */
export function docsMarkdown({ settings, document }: TextSources, guide: string): string {
  const baseUrl = absoluteBase(document) ?? "BASE_URL";
  return [
    `# ${settings.application}: guide and reference`,
    baseUrl === "BASE_URL" ? "`BASE_URL` stands for the address of this text without `/docs.md`, and `YOUR_KEY` for your key." : "`YOUR_KEY` stands for your key.",
    plainGuide(fillGuide(withErrors(guide, "en"), guideValues({ settings, baseUrl, key: "YOUR_KEY" }, "en"))),
    referenceMarkdown(document),
    "## Assets",
    assetTable(settings),
  ].join("\n\n") + "\n";
}

/** The base URL of a service that has told its whole address, without a slash at the end. */
export function absoluteBase({ servers }: OpenApiDocument): string | undefined {
  const [server] = servers;
  return server && /^https?:/.test(server.url) ? server.url.replace(/\/$/, "") : undefined;
}

function assetTable({ assets }: Pick<PageSettings, "assets">): string {
  const rows = assets.map(({ code, labelEn, labelFa, category, quoteUnit }) => [markdownCode(code), labelEn, labelFa, category, quoteUnit]);
  return markdownTable(["Code", "English", "Persian", "Category", "Unit of values"], rows);
}

/** The guide without its own title, without the names of its sections, and without links that only the page has. */
function plainGuide(guide: string): string {
  return guide
    .replace(/^# .*\n+/, "")
    .replace(/ \{#\w+\}$/gm, "")
    .replace(/\[([^\]]+)\]\(#\w+\)/g, "$1")
    .trimEnd();
}
