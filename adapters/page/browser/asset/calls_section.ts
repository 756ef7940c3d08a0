import { copyButton } from "../copy_button.ts";
import { h } from "../dom.ts";
import { exampleKey, exportLine } from "../example_key.ts";
import { curlLine, referenceAddress } from "./calls.ts";
import type { Call } from "./calls.ts";
import type { Scene } from "./scene.ts";

/** Calls that are shown at once; a history of years has dozens. */
const SHOWN_AT_ONCE = 4;

/** The calls behind what is seen, each to be copied, and to be tried in the reference. */
export function callsSection(scene: Scene, calls: readonly Call[]): HTMLElement {
  const { texts, context } = scene;
  const [shown, rest] = [calls.slice(0, SHOWN_AT_ONCE), calls.slice(SHOWN_AT_ONCE)];
  return h(
    "section",
    { class: "asset-calls", "aria-labelledby": "asset-calls-title" },
    h("h2", { id: "asset-calls-title" }, texts.calls),
    h("p", { class: "small" }, texts.callsNote),
    h("ul", {}, ...shown.map((call) => callItem(scene, call))),
    rest.length > 0 &&
      h(
        "details",
        { id: "asset-more-calls" },
        h("summary", {}, texts.moreCalls(rest.length, context.format.number)),
        h("ul", {}, ...rest.map((call) => callItem(scene, call))),
      ),
  );
}

function callItem({ context, texts }: Scene, call: Call): HTMLElement {
  const { baseUrl } = context;
  const url = `${baseUrl}${call.target}`;
  const line = `${exportLine(exampleKey(context))}\n${curlLine(baseUrl, call)}`;
  return h(
    "li",
    {},
    h("p", { dir: "ltr", class: "asset-url" }, h("code", {}, h("strong", {}, "GET"), ` ${url}`)),
    h("pre", {}, h("code", {}, line)),
    h(
      "p",
      { class: "asset-acts" },
      copyButton(() => url, context, { label: texts.copyUrl, class: "small" }),
      copyButton(() => line, context, { label: texts.copyCurl, class: "small" }),
      h("a", { href: referenceAddress(call) }, texts.tryIt),
    ),
  );
}
