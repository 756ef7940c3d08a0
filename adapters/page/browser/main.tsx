import { render } from "preact";
import type { PageSettings } from "../page_settings.ts";
import { Page } from "./page.tsx";
import { movedAddress } from "./places.ts";
import { languageOf, preferencesOf, readChoices } from "./preferences.ts";

const root = document.createElement("div");
root.id = "page";
document.body.append(root);

/** Leads an old address of the documentation to its page; whether it was one. */
function leaveForDocumentation(): boolean {
  const address = movedAddress(location.hash, preferencesOf(readChoices(() => localStorage), languageOf(navigator.languages)).language);
  if (address !== undefined) location.replace(address);
  return address !== undefined;
}

addEventListener("hashchange", leaveForDocumentation);
// A cast, as the server has written this from the same type.
if (!leaveForDocumentation()) render(<Page settings={JSON.parse(document.getElementById("settings")!.textContent!) as PageSettings} />, root);
