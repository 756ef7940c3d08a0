import { render } from "preact";
import type { PageSettings } from "../page_settings.ts";
import { Page } from "./page.tsx";

// The style of the views that are not the first is fetched without keeping the first waiting, as one for print is.
document.querySelector<HTMLLinkElement>("link[media=print]")!.media = "all";
// A cast, as the server has written this from the same type.
render(
  <Page settings={JSON.parse(document.getElementById("settings")!.textContent!) as PageSettings} />,
  document.body.appendChild(document.createElement("div")),
);
