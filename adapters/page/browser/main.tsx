import { render } from "preact";
import type { PageSettings } from "../page_settings.ts";
import { Page } from "./page.tsx";
import { movedAddress } from "./places.ts";
import { languageOf, preferencesOf, readChoices } from "./preferences.ts";

const root = document.createElement("div");
root.id = "page";
document.body.append(root);

function leaveForDocumentation(): void {
  const address = movedAddress(location.hash, preferencesOf(readChoices(() => localStorage), languageOf(navigator.languages)).language);
  if (address !== undefined) location.replace(address);
}
leaveForDocumentation();
addEventListener("hashchange", leaveForDocumentation);
// A cast, as the server has written this from the same type.
render(<Page settings={JSON.parse(document.getElementById("settings")!.textContent!) as PageSettings} />, root);
