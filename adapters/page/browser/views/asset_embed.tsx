import { useState } from "preact/hooks";
import { nameOf, serviceName } from "../data/format.ts";
import type { Preferences } from "../data/preferences.ts";
import { baseUrl, preferences, settings } from "../data/state.ts";
import { CopyButton, Segmented } from "../parts/buttons.tsx";
import { icon } from "../parts/icons.tsx";
import type { Scene } from "./asset_scene.ts";

const LANGUAGES = { en: "English", fa: "فارسی" };

type Choices = Preferences & { readonly form: "frame" | "picture" };

/** Embeds an asset's price in another page: the choices, a preview, and the line to copy. */
export function EmbedPanel({ asset, texts }: Scene) {
  const [choices, setChoices] = useState<Choices>({ ...preferences.value, form: "frame" });
  const { form, language, unit, theme } = choices;
  const name = nameOf(asset, language);
  const title = `${name}, ${serviceName(settings.application, language)}`;
  const query = new URLSearchParams({ lang: language, unit, theme });
  const url = `${baseUrl}/docs/embed/${asset.code}${form === "picture" ? ".svg" : ""}?${query}`;
  const line =
    form === "picture"
      ? `[![${name}](${url})](${baseUrl}/docs/asset/${asset.code})`
      : `<iframe src="${escaped(url)}" width="340" height="120" loading="lazy" style="border:0" title="${escaped(title)}"></iframe>`;
  const choice = <Name extends keyof Choices>(
    kind: Name,
    label: string,
    options: Readonly<Record<Choices[Name], string>>,
  ) => (
    <Segmented
      name={`embed-${kind}`}
      isLabelled
      label={label}
      options={options}
      chosen={choices[kind]}
      choose={(chosen) => setChoices({ ...choices, [kind]: chosen })}
    />
  );
  return (
    <>
      <h2>
        {texts.embedTitle}{" "}
        <button class="quiet" popovertarget="embed-panel" popovertargetaction="hide" aria-label={texts.closePanel}>
          {icon("close")}
        </button>
      </h2>
      <p class="small">{texts.embedNote}</p>
      <div class="embed-preview">
        {form === "picture" && <img src={url} width="340" height="120" alt={title} />}
        {form === "frame" && <iframe key={url} src={url} title={title} />}
      </div>
      <div class="embed-choices">
        {choice("form", texts.form, texts.forms)}
        {choice("language", texts.language, LANGUAGES)}
        {choice("unit", texts.unit, texts.units)}
        {choice("theme", texts.theme, texts.themes)}
      </div>
      <pre dir="ltr" tabIndex={0}>
        <code>{line}</code>
      </pre>
      <CopyButton text={line} subject={texts.forms[form]}>
        {texts.copy}
      </CopyButton>{" "}
      <span class="small">{texts.embedSize}</span>
    </>
  );
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
