import { CopyButton } from "./buttons.tsx";
import { Icon } from "./icons.tsx";

interface ShareButtonProps {
  readonly title: string;
  readonly text: string;
  readonly url: string;
  readonly label: string;
}

/** Hands a text and its address to the system's sheet; a browser without one copies them. */
export function ShareButton({ title, text, url, label }: ShareButtonProps) {
  if (!("share" in navigator))
    return (
      <CopyButton text={`${text}\n${url}`} subject={label}>
        {label}
      </CopyButton>
    );
  const share = (): void => void navigator.share({ title, text, url }).catch(() => undefined); // whoever closes the sheet wants nothing
  return (
    <button type="button" class="quiet" onClick={share}>
      <Icon name="share" /> {label}
    </button>
  );
}
