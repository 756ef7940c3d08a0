import { render } from "preact";
import type { PageSettings } from "../page_settings.ts";
import { Page } from "./page.tsx";
import { movedAddress } from "./places.ts";
import { languageOf, preferencesOf, readChoices } from "./preferences.ts";

// The style of the views that are not the first is fetched without keeping the first waiting, as one for print is.
document.querySelector<HTMLLinkElement>("link[media=print]")!.media = "all";
const root = document.createElement("div");
root.id = "page";
document.body.append(root);

/** Leads an old address of the documentation to its page; whether it was one. */
function leaveForDocumentation(): boolean {
  const address = movedAddress(location.hash, preferencesOf(readChoices(), languageOf(navigator.languages)).language);
  if (address !== undefined) location.replace(new URL(`${document.body.dataset["root"]}${address}`, location.href));
  return address !== undefined;
}

addEventListener("hashchange", leaveForDocumentation);
// A cast, as the server has written this from the same type.
if (!leaveForDocumentation()) render(<Page settings={JSON.parse(document.getElementById("settings")!.textContent!) as PageSettings} />, root);
