import { usePage } from "../context.ts";
import { exampleKey, exportLine } from "../example_key.ts";
import { CopyButton } from "../ui/copy_button.tsx";
import { Icon } from "../ui/icon.tsx";
import { curlLine, referenceAddress } from "./calls.ts";
import type { Call } from "./calls.ts";
import { ASSET } from "./messages.ts";

/** The request behind what is seen, in one line: to be copied, and to be tried in the reference. */
export function RequestLine({ call }: { readonly call: Call }) {
  const page = usePage();
  const texts = ASSET[page.preferences.language];
  return (
    <p class="request-line">
      <code class="asset-url" tabIndex={0}><strong>GET</strong> {call.target}</code>
      <CopyButton text={() => `${exportLine(exampleKey(page))}\n${curlLine(page.baseUrl, call)}`} label={<><Icon name="copy" /> {texts.curl}</>} subject={texts.curl} />
      <a href={referenceAddress(call, page.preferences.language)}>{texts.openInApi}</a>
    </p>
  );
}
