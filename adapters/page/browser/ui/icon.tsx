import { PATHS } from "./icon_paths.ts";

/** The name of an icon. */
export type IconName = keyof typeof PATHS;

/** An icon beside a text, or in a button that has a label: hidden from screen readers. */
export function Icon({ name, filled }: { readonly name: IconName; readonly filled?: boolean }) {
  return (
    <svg class={filled === true ? "icon filled" : "icon"} viewBox="0 0 18 18" width="18" height="18" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
