import { CopyButton } from "./buttons.tsx";
import { icon } from "./icons.tsx";

type ShareButtonProps = Readonly<Record<"title" | "text" | "url" | "label", string>>;

/** Passes a text and its address to the system's share sheet. If there is no share sheet, they are copied. */
export function ShareButton({ title, text, url, label }: ShareButtonProps) {
  if (!("share" in navigator))
    return (
      <CopyButton text={`${text}\n${url}`} subject={label}>
        {label}
      </CopyButton>
    );
  const share = (): void => void navigator.share({ title, text, url }).catch(() => undefined); // closing the sheet is not a failure
  return (
    <button class="quiet" onClick={share}>
      {icon("share")} {label}
    </button>
  );
}
