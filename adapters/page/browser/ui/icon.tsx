import { PATHS } from "./icon_paths.ts";

/** An icon beside a text, or in a button that has a label: hidden from screen readers. */
export function Icon({ name, filled = false }: { readonly name: keyof typeof PATHS; readonly filled?: boolean }) {
  return (
    <svg class={filled ? "icon filled" : "icon"} viewBox="0 0 18 18" width="18" height="18" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
