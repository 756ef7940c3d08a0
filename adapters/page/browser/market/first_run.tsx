import { useEffect, useState } from "preact/hooks";
import { usePage } from "../context.ts";
import { nameOf } from "../format.ts";
import { docsAddress } from "../places.ts";
import { fill, textsIn } from "../texts.ts";
import { CopyButton } from "../ui/copy_button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Segmented } from "../ui/segmented.tsx";
import { boardOf } from "./board.tsx";

const COMMANDS = { file: "mazaneh import prices.csv", program: "collector | mazaneh import - --follow", server: "mazaneh serve --mirror https://…" } as const;
const EACH_MS = 5_000;

/** What a server without a price shows: that it runs, what is missing, and one command. It listens: the first price makes it the market. */
export function View() {
  const { preferences: { language }, settings, baseUrl, format, ...page } = usePage();
  const texts = textsIn(TEXTS, language);
  const [source, choose] = useState<keyof typeof COMMANDS>("file");
  useEffect(() => {
    const timer = setInterval(async () => {
      const html = await fetch(`${baseUrl}/docs`, { cache: "no-cache" }).then((response) => response.text()).catch(() => "");
      if (html.includes('"isEmpty":false')) location.reload();
    }, EACH_MS);
    return () => clearInterval(timer);
  }, []);

  return (
    <div class="first-run">
      <div>
        <h1>{texts.title}</h1>
        <p class="first-lead">{texts.lead}</p>
        <ol>
          <li class="done"><h2>{texts.runs} <bdi class="small" dir="ltr">{new URL(baseUrl).host}</bdi></h2></li>
          <li class="next">
            <h2>{texts.bring}</h2>
            <Segmented name="source" label={texts.bring} options={texts.sources} chosen={source} choose={(next) => choose(next)} />
            <Command text={COMMANDS[source]} />
            <p class="small">{texts[source]}</p>
            <p role="status"><span class="dot waiting" /> {texts.waiting}</p>
          </li>
          <li>
            <h2>{texts.others}</h2>
            <p class="small">{settings.isPublic ? texts.openMarket : texts.closedMarket} <a href={`${baseUrl}/${docsAddress("guide", language)}`}>{texts.guide}</a></p>
            <Command text={'mazaneh keys create "my first app"'} />
          </li>
        </ol>
      </div>
      <aside>
        <section class="sheet" aria-label={texts.preview}>
          <h2>{texts.preview} <span class="small">{fill(texts.of, { some: format.number(0), all: format.number(settings.assets.length) })}</span></h2>
          {boardOf(settings.assets, new Map()).map((asset) => (
            <p key={asset.code}>
              <span>{nameOf(asset, language)}</span> <code class="small" dir="ltr">{asset.baseCode}</code> <span class="none" title={page.texts.noPrice}>—</span>
            </p>
          ))}
        </section>
        <p class="first-sample"><Icon name="coins" /> <span>{texts.looking} <code dir="ltr">mazaneh serve --sample</code></span></p>
      </aside>
    </div>
  );
}

function Command({ text }: { readonly text: string }) {
  return <div class="command"><code dir="ltr">{text}</code> <CopyButton text={text} label={<Icon name="copy" />} subject={text} /></div>;
}

const TEXTS = {
  title: ["The board is up. It has no prices yet.", "تابلو برپاست و هنوز قیمتی ندارد."],
  lead: [
    "The store of this server is empty. Bring the first prices in, and this page becomes the market by itself.",
    "انبارهٔ این سرور خالی است. نخستین قیمت‌ها را بیاورید تا این صفحه خودبه‌خود بازار شود.",
  ],
  runs: ["The server runs", "سرور کار می‌کند"],
  bring: ["Bring prices in", "قیمت‌ها را بیاورید"],
  sources: [{ file: "From a file", program: "From a program", server: "From another server" }, { file: "از یک فایل", program: "از یک برنامه", server: "از سروری دیگر" }],
  file: [
    "CSV, Excel, NDJSON or JSON, with a code, a value and a time in each row; toman and Jalali dates are understood.",
    "CSV، اکسل، NDJSON یا JSON، با نام دارایی، مقدار و زمان در هر سطر؛ تومان و تاریخ شمسی را هم می‌فهمد.",
  ],
  program: [
    "One JSON object in each line: code, value, businessTime. A price is stored as it comes.",
    "در هر سطر یک شیء JSON با code و value و businessTime. هر قیمت همان‌دم که برسد ثبت می‌شود.",
  ],
  server: [
    "In place of this server: it fills its store from another one of this API, within the units of a key.",
    "به جای این سرور: انباره‌اش را با واحدهای یک کلید از سروری دیگر با همین API پر می‌کند.",
  ],
  waiting: ["Waiting for the first price. Nothing has arrived so far.", "در انتظار نخستین قیمت؛ تا کنون چیزی نرسیده است."],
  others: ["Let others in", "دیگران را راه بدهید"],
  openMarket: ["A key for each program that asks. People need none, as the market is public.", "برای هر برنامه یک کلید. مردم کلید نمی‌خواهند، چون بازار همگانی است."],
  closedMarket: ["A key for each person and program; with --public-market people need none.", "برای هر کس و هر برنامه یک کلید؛ با ‎--public-market‎ مردم کلید نمی‌خواهند."],
  guide: ["How it works", "چگونه کار می‌کند"],
  preview: ["What you will see here", "آنچه این‌جا خواهید دید"],
  of: ["{some} of {all} assets", "{some} از {all} دارایی"],
  looking: [
    "Only looking? This opens a server with two years of made-up prices, which never mix with yours:",
    "فقط نگاهی می‌اندازید؟ این فرمان سروری با دو سال قیمت ساختگی باز می‌کند که هرگز با قیمت‌های شما نمی‌آمیزد:",
  ],
} as const;
