import { usePage } from "../context.ts";
import { addressOf } from "../places.ts";
import { MESSAGES } from "./messages.ts";
import type { Operation } from "./operations.ts";
import { persianOf } from "./translations.ts";

/** The list of routes. On a narrow screen it is folded, and closed again by each choice. */
export function Navigation({ operations, shown }: { readonly operations: readonly Operation[]; readonly shown: Operation | undefined }) {
  const { preferences } = usePage();
  const texts = MESSAGES[preferences.language];
  const own = operations.filter(({ isOwn }) => isOwn);
  const list = (listed: readonly Operation[]) => <ul>{listed.map((operation) => <Entry key={operation.id} operation={operation} isShown={operation === shown} />)}</ul>;
  return (
    <nav class="ref-nav" aria-label={texts.routes}>
      <details key={shown?.id} open={matchMedia("(width >= 60rem)").matches}>
        <summary>{texts.routes}</summary>
        <p class="small">{texts.versionRoutes}</p>
        {list(operations.filter(({ isOwn }) => !isOwn))}
        {own.length > 0 && <p class="small">{texts.customRoutes}</p>}
        {own.length > 0 && list(own)}
      </details>
    </nav>
  );
}

function Entry({ operation: { id, elementId, method, path, summary }, isShown }: { readonly operation: Operation; readonly isShown: boolean }) {
  const { preferences } = usePage();
  const title = (preferences.language === "fa" ? persianOf(summary) : undefined) ?? summary;
  return (
    <li>
      <a id={`ref-nav-${elementId}`} href={addressOf("reference", id)} aria-current={isShown ? "page" : undefined} title={title} dir="ltr">
        <span class={`ref-method ref-method-${method.toLowerCase()}`}>{method}</span>
        {/* All routes of the contract begin alike, which would hide where they differ. */}
        <code>{path.replace(/^\/api\/v\d+/, "")}</code>
      </a>
    </li>
  );
}
