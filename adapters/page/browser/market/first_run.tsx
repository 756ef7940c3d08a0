import { useEffect, useState } from "preact/hooks";
import { nameOf } from "../format_values.ts";
import { docsAddress } from "../page_addresses.ts";
import { usePage } from "../page_context.ts";
import { fill } from "../texts.ts";
import { CopyButton } from "../ui/copy_button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Segmented } from "../ui/segmented.tsx";
import { TEXTS } from "./built_texts.ts";
import { boardOf } from "./price_tiles.tsx";
import { pushLines } from "./push_lines.ts";

/** What a server without a price shows: that it runs, what is missing, and one command. It listens: the first price makes it the market. */
export function View() {
  const {
    preferences: { language },
    settings,
    baseUrl,
    format,
    ...page
  } = usePage();
  const texts = TEXTS[language];
  const commands = {
    file: "mazaneh import prices.csv",
    program: pushLines(baseUrl),
    server: "mazaneh serve --mirror https://…",
  };
  const [source, choose] = useState<keyof typeof commands>("file");
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
            <Segmented
              name="source"
              label={texts.bring}
              options={texts.sources}
              chosen={source}
              choose={(next) => choose(next)}
            />
            <Command text={commands[source]} subject={texts.sources[source]} />
            <p class="small">{texts[source]}</p>
            <p role="status">
              <span class="dot waiting" /> {texts.waiting}
            </p>
          </li>
          <li>
            <h2>{texts.others}</h2>
            <p class="small">
              {settings.isPublic ? texts.openMarket : texts.closedMarket}{" "}
              <a href={`${baseUrl}/${docsAddress("guide", language)}`}>{texts.guide}</a>
            </p>
            <Command text={'mazaneh keys create "my first app"'} />
          </li>
        </ol>
      </div>
      <aside>
        <section class="sheet" aria-label={texts.preview}>
          <h2>
            {texts.preview}{" "}
            <span class="small">
              {fill(texts.of, { some: format.number(0), all: format.number(settings.assets.length) })}
            </span>
          </h2>
          {boardOf(settings.assets, new Map()).map((asset) => (
            <p key={asset.code}>
              <span>{nameOf(asset, language)}</span>{" "}
              <code class="small" dir="ltr">
                {asset.baseCode}
              </code>{" "}
              <span class="none" title={page.texts.noPrice}>
                —
              </span>
            </p>
          ))}
        </section>
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

function Command({ text, subject = text }: { readonly text: string; readonly subject?: string }) {
  return (
    <div class="command">
      <code dir="ltr">{text}</code> <CopyButton text={text} label={<Icon name="copy" />} subject={subject} />
    </div>
  );
}
