import { usePage } from "../context.ts";
import { addressOf } from "../places.ts";
import { nameOf } from "../titles.ts";
import { ASSET } from "./messages.ts";
import { similarAssets } from "./similar_assets.ts";

/** What is shown for a code that is in no catalog: the codes that may be meant, and the way back. */
export function UnknownAsset() {
  const { place, settings, preferences: { language }, marketAddress } = usePage();
  const texts = ASSET[language];
  const similar = similarAssets(place.id ?? "", settings.assets);
  return (
    <article class="asset">
      <h1>{texts.unknownTitle(place.id ?? "")}</h1>
      <p>{texts.unknownText}</p>
      {similar.length > 0 && (
        <>
          <p>{texts.similar}</p>
          <ul class="asset-similar">
            {similar.map((asset) => <li key={asset.code}><a href={addressOf("asset", asset.code)}>{nameOf(asset, language)}</a> <code dir="ltr">{asset.code}</code></li>)}
          </ul>
        </>
      )}
      <p><a href={marketAddress}>{texts.back}</a></p>
    </article>
  );
}
