import { useEffect } from "preact/hooks";
import { docsAddress } from "../data/addresses.ts";
import { boardOf } from "../data/market_entries.ts";
import { baseUrl, format, language, nameOfCode, settings } from "../data/state.ts";
import { CopyButton } from "../parts/buttons.tsx";
import { Card } from "../parts/card.tsx";
import { icon } from "../parts/icons.tsx";
import { TEXTS } from "../texts/built_first_run.ts";
import { fill } from "../texts/fill.ts";

/** Shown until the server has a price. Says that the server runs, what is missing, and which command to run. */
export function View() {
  const texts = TEXTS[language.value];
  const counts = { some: format.value.number(0), all: format.value.number(settings.assets.length) };
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
        <Card
          title={texts.preview}
          note={fill(texts.of, counts)}
          rows={boardOf(settings.assets, new Map()).map(({ code }) => [nameOfCode(code), "—"])}
        />
        <p class="first-sample">
          {icon("coins")}{" "}
          <span>
            {texts.looking} <code dir="ltr">mazaneh serve --sample</code>
          </span>
        </p>
      </aside>
    </div>
  );
}

function Command({ text }: { readonly text: string }) {
  return (
    <div class="command">
      <code dir="ltr">{text}</code> <CopyButton text={text} subject={text} />
    </div>
  );
}
