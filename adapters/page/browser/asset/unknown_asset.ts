import type { PageContext } from "../legacy.tsx";
import { h } from "../dom.ts";
import { messagesOf } from "../messages.ts";
import { nameOf } from "../titles.ts";
import { ASSET } from "./messages.ts";
import { similarAssets } from "./similar_assets.ts";

/** What is shown for a code that is in no catalog: the codes that may be meant, and the way back. */
export function unknownAsset(context: PageContext): HTMLElement {
  const { place, settings, preferences } = context;
  const texts = messagesOf(ASSET, preferences.language);
  const similar = similarAssets(place.id ?? "", settings.assets);
  return h(
    "article",
    { class: "asset" },
    h("h1", {}, texts.unknownTitle(place.id ?? "")),
    h("p", {}, texts.unknownText),
    similar.length > 0 && h("p", {}, texts.similar),
    similar.length > 0 &&
      h(
        "ul",
        { class: "asset-similar" },
        ...similar.map((asset) =>
          h("li", {}, h("a", { href: `#/asset/${encodeURIComponent(asset.code)}` }, nameOf(asset, preferences.language)), " ", h("code", { dir: "ltr" }, asset.code)),
        ),
      ),
    h("p", {}, h("a", { href: context.market }, texts.back)),
  );
}
