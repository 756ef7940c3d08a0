// The documentation as one text for machines that read: GET /docs.md.
import type { OpenApiDocument } from "../../core/openapi/mod.ts";
import { fillGuide, guideValues } from "./guide/guide_values.ts";
import { markdownCode, markdownTable } from "./markdown.ts";
import type { PageSettings } from "./page_settings.ts";
import { readReference } from "./reference/read_reference.ts";
import { referenceMarkdown } from "./reference/reference_markdown.ts";

/** What the texts for machines are made from. */
export interface TextSources {
  readonly settings: Pick<PageSettings, "application" | "assets" | "marketTimeZone" | "quotaTimeZone" | "staleThresholdMinutes" | "maxCandles" | "documentationUrl" | "version">;
  /** The OpenAPI document of the same settings. */
  readonly document: OpenApiDocument;
}

/**
 * Makes the whole documentation: the guide, and the reference with every route, field, error code and asset.
 *
 * @param guide The English guide, as `guide/en.md` has it.
 */
export function docsMarkdown({ settings, document }: TextSources, guide: string): string {
  const reference = readReference(document);
  const { baseUrl = "BASE_URL" } = reference;
  return [
    `# ${settings.application}: guide and reference`,
    baseUrl === "BASE_URL" ? "`BASE_URL` stands for the address of this text without `/docs.md`, and `YOUR_KEY` for your key." : "`YOUR_KEY` stands for your key.",
    plainGuide(fillGuide(guide, guideValues({ settings, baseUrl, key: "YOUR_KEY" }, "en"))),
    referenceMarkdown(reference),
    "## Assets",
    assetTable(settings),
  ].join("\n\n") + "\n";
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
    .replace(/\[([^\]]+)\]\((?:reference)?(?:#\w+)?\)/g, "$1")
    .trimEnd();
}
