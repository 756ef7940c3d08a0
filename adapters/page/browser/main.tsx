import { render } from "preact";
import type { PageSettings } from "../page_settings.ts";
import { Page } from "./page.tsx";

const root = document.createElement("div");
root.id = "page";
document.body.append(root);
// A cast, as the server has written this from the same type.
render(<Page settings={JSON.parse(document.getElementById("settings")!.textContent!) as PageSettings} />, root);
