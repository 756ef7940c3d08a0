import { useEffect, useState } from "preact/hooks";
import { usePage } from "../context.ts";
import { docsAddress } from "../places.ts";
import { nameOf } from "../titles.ts";
import { CopyButton } from "../ui/copy_button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Segmented } from "../ui/segmented.tsx";
import { boardOf } from "./board.tsx";
import { MARKET } from "./messages.ts";

const COMMANDS = { file: "mazaneh import prices.csv", program: "collector | mazaneh import - --follow", server: "mazaneh serve --mirror https://…" } as const;
const EACH_MS = 5_000;

/** What a server without a price shows: that it runs, what is missing, and one command. It listens: the first price makes it the market. */
export function View() {
  const { preferences: { language }, settings, baseUrl, format } = usePage();
  const texts = TEXTS[language];
  const [source, choose] = useState<keyof typeof COMMANDS>("file");
  useEffect(() => {
    const timer = setInterval(() => void reloadWhenOther(`${baseUrl}/docs`), EACH_MS);
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
            <p class="small">{texts.notes[source]}</p>
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
          <h2>{texts.preview} <span class="small">{texts.of(format.number(0), format.number(settings.assets.length))}</span></h2>
          {boardOf(settings.assets, new Map()).map((asset) => (
            <p key={asset.code}>
              <span>{nameOf(asset, language)}</span> <code class="small" dir="ltr">{asset.baseCode}</code> <span class="none" title={MARKET[language].noPrice}>—</span>
            </p>
          ))}
        </section>
        <p class="first-sample"><Icon name="coins" /> <span>{texts.looking} <code dir="ltr">mazaneh serve --sample</code></span></p>
      </aside>
    </div>
  );
}

function Command({ text }: { readonly text: string }) {
  return <div class="command"><code dir="ltr">{text}</code> <CopyButton text={() => text} label={<Icon name="copy" />} subject={text} class="quiet" /></div>;
}

let shown: string | null | undefined;

/** Loads the page anew when the server has another one: its HTML says whether there are prices. */
async function reloadWhenOther(url: string): Promise<void> {
  const tag = await fetch(url, { method: "HEAD", cache: "no-store" }).then(({ ok, headers }) => (ok ? headers.get("ETag") : undefined), () => undefined);
  if (shown !== undefined && tag !== undefined && tag !== shown) location.reload();
  shown = tag ?? shown;
}

const TEXTS = {
  en: {
    title: "The board is up. It has no prices yet.",
    lead: "The store of this server is empty. Bring the first prices in, and this page becomes the market by itself.",
    runs: "The server runs",
    bring: "Bring prices in",
    sources: { file: "From a file", program: "From a program", server: "From another server" },
    notes: {
      file: "CSV, Excel, NDJSON or JSON, with a code, a value and a time in each row; toman and Jalali dates are understood.",
      program: "One JSON object in each line: code, value, businessTime. A price is stored as it comes.",
      server: "In place of this server: it fills its store from another one of this API, within the units of a key.",
    },
    waiting: "Waiting for the first price. Nothing has arrived so far.",
    others: "Let others in",
    openMarket: "A key for each program that asks. People need none, as the market is public.",
    closedMarket: "A key for each person and program; with --public-market people need none.",
    guide: "How it works",
    preview: "What you will see here",
    of: (some: string, all: string): string => `${some} of ${all} assets`,
    looking: "Only looking? This opens a server with two years of made-up prices, which never mix with yours:",
  },
  fa: {
    title: "تابلو برپاست و هنوز قیمتی ندارد.",
    lead: "انبارهٔ این سرور خالی است. نخستین قیمت‌ها را بیاورید تا این صفحه خودبه‌خود بازار شود.",
    runs: "سرور کار می‌کند",
    bring: "قیمت‌ها را بیاورید",
    sources: { file: "از یک فایل", program: "از یک برنامه", server: "از سروری دیگر" },
    notes: {
      file: "CSV، اکسل، NDJSON یا JSON، با نام دارایی، مقدار و زمان در هر سطر؛ تومان و تاریخ شمسی را هم می‌فهمد.",
      program: "در هر سطر یک شیء JSON با code و value و businessTime. هر قیمت همان‌دم که برسد ثبت می‌شود.",
      server: "به جای این سرور: انباره‌اش را با واحدهای یک کلید از سروری دیگر با همین API پر می‌کند.",
    },
    waiting: "در انتظار نخستین قیمت؛ تا کنون چیزی نرسیده است.",
    others: "دیگران را راه بدهید",
    openMarket: "برای هر برنامه یک کلید. مردم کلید نمی‌خواهند، چون بازار همگانی است.",
    closedMarket: "برای هر کس و هر برنامه یک کلید؛ با ‎--public-market‎ مردم کلید نمی‌خواهند.",
    guide: "چگونه کار می‌کند",
    preview: "آنچه این‌جا خواهید دید",
    of: (some: string, all: string): string => `${some} از ${all} دارایی`,
    looking: "فقط نگاهی می‌اندازید؟ این فرمان سروری با دو سال قیمت ساختگی باز می‌کند که هرگز با قیمت‌های شما نمی‌آمیزد:",
  },
};
