import { PATHS, SIGN } from "./icon_paths.ts";

/** An icon beside a text or in a labelled button, hidden from screen readers. */
export function icon(name: keyof typeof PATHS, filled = false) {
  return (
    <svg class={filled ? "icon filled" : "icon"} viewBox="0 0 18 18" width="18" height="18" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** The logo on its background. */
export function Sign() {
  return (
    <svg class="sign" viewBox="0 0 26 26" width="26" height="26" aria-hidden="true">
      <rect width="26" height="26" rx="6" />
      <path d={SIGN} />
    </svg>
  );
}
