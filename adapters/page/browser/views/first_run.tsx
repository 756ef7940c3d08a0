import { useEffect } from "preact/hooks";
import { docsAddress } from "../data/addresses.ts";
import { baseOf, nameOf } from "../data/format.ts";
import { boardOf } from "../data/market_entries.ts";
import { baseUrl, format, language, texts as pageTexts, settings } from "../data/state.ts";
import { CopyButton } from "../parts/buttons.tsx";
import { Icon } from "../parts/icons.tsx";
import { TEXTS } from "../texts/built_first_run.ts";
import { fill } from "../texts/fill.ts";

/** What a server without a price shows: that it runs, what is missing, and one command. It listens: the first price makes it the market. */
export function View() {
  const texts = TEXTS[language.value];
  useEffect(() => {
    const timer = setInterval(async () => {
      const html = await fetch(`${baseUrl}/docs`, { cache: "no-cache" })
        .then((response) => response.text())
        .catch(() => "");
      if (html.includes('"isEmpty":false')) location.reload();
    }, 5_000);
    return () => clearInterval(timer);
  }, []);

  return (
    <div class="first-run">
      <div>
        <h1>{texts.title}</h1>
        <p class="first-lead">{texts.lead}</p>
        <ol>
          <li class="done">
            <h2>
              {texts.runs}{" "}
              <bdi class="small" dir="ltr">
                {new URL(baseUrl).host}
              </bdi>
            </h2>
          </li>
          <li class="next">
            <h2>{texts.bring}</h2>
            <Command text="mazaneh import prices.csv" />
            <p class="small">
              {texts.file} <a href={`${baseUrl}/${docsAddress("guide", language.value)}`}>{texts.guide}</a>
            </p>
            <p role="status">
              <span class="dot waiting" /> {texts.waiting}
            </p>
          </li>
          <li>
            <h2>{texts.others}</h2>
            <p class="small">{settings.isPublic ? texts.openMarket : texts.closedMarket}</p>
            <Command text={'mazaneh keys create "my first app"'} />
          </li>
        </ol>
      </div>
      <aside>
        <Preview />
        <p class="first-sample">
          <Icon name="coins" />{" "}
          <span>
            {texts.looking} <code dir="ltr">mazaneh serve --sample</code>
          </span>
        </p>
      </aside>
    </div>
  );
}

/** The board without prices. */
function Preview() {
  const { preview, of } = TEXTS[language.value];
  const { number } = format.value;
  return (
    <section class="sheet" aria-label={preview}>
      <h2>
        {preview} <span class="small">{fill(of, { some: number(0), all: number(settings.assets.length) })}</span>
      </h2>
      {boardOf(settings.assets, new Map()).map((asset) => (
        <p key={asset.code}>
          <span>{nameOf(asset, language.value)}</span>{" "}
          <code class="small" dir="ltr">
            {baseOf(asset)}
          </code>{" "}
          <span class="none" title={pageTexts.value.noPrice}>
            —
          </span>
        </p>
      ))}
    </section>
  );
}

function Command({ text }: { readonly text: string }) {
  return (
    <div class="command">
      <code dir="ltr">{text}</code> <CopyButton text={text} subject={text} />
    </div>
  );
}
