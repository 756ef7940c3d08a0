/** How long a button shows whether copying worked. */
export const COPIED_MS = 2_000;

/** Copies a text. Returns whether copying worked. Without HTTPS, browsers only have an older clipboard API. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement("textarea");
    const focused = document.activeElement;
    field.className = "visually-hidden";
    field.readOnly = true;
    field.value = text;
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
    return done;
  }
}
