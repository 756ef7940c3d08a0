import { useEffect, useMemo, useState } from "preact/hooks";
import { usePage } from "../context.ts";
import { FailureBox } from "../ui/failure_box.tsx";
import { MESSAGES } from "./messages.ts";
import { Navigation } from "./navigation.tsx";
import { OperationSection } from "./operation_section.tsx";
import { readReference } from "./operations.ts";
import type { Reference } from "./operations.ts";
import { Prose } from "./prose.tsx";
import { fillIn } from "./drafts.ts";

let known: Reference | undefined;

/** The reference view: made of the OpenAPI document of this server, which is loaded once. */
export function View() {
  const [, redraw] = useState({});
  const [thrown, setThrown] = useState<{ readonly error: unknown }>();

  async function load(): Promise<void> {
    setThrown(undefined);
    try {
      const response = await fetch("openapi.json");
      if (!response.ok) throw Object.assign(new Error(`openapi.json: ${response.statusText}`), { status: response.status });
      known = readReference(await response.json());
      redraw({});
    } catch (error) {
      setThrown({ error });
    }
  }

  useEffect(() => {
    if (known === undefined) void load();
  }, []);
  if (known !== undefined) return <Routes reference={known} />;
  return <div class="ref">{thrown === undefined ? <p class="loading" role="status">…</p> : <FailureBox thrown={thrown.error} retry={() => void load()} />}</div>;
}

function Routes({ reference: { operations, about } }: { readonly reference: Reference }) {
  const { place } = usePage();
  const shown = operations.find(({ id }) => id === place.id);
  const first = shown ?? operations[0];
  useMemo(() => shown && fillIn(shown, place.query), [shown, place]); // before the form is drawn
  return (
    <div class="ref">
      <Navigation operations={operations} shown={shown} />
      <div class="ref-main">
        {shown === undefined && <Overview about={about} />}
        {first !== undefined && <OperationSection key={`${first.id} ${shown === undefined}`} operation={first} level={shown ? 1 : 2} />}
      </div>
    </div>
  );
}

/** What holds for all routes, above the first of them. */
function Overview({ about }: Pick<Reference, "about">) {
  const { place, preferences, settings } = usePage();
  const texts = MESSAGES[preferences.language];
  return (
    <section class="ref-overview">
      <h1>{texts.title}</h1>
      {place.id !== undefined && <p class="ref-note" role="alert">{texts.unknownRoute(place.id)}</p>}
      <p>{texts.intro}</p>
      {about.length > 0 && (
        <details class="ref-fold">
          <summary>{texts.about}</summary>
          {texts.aboutTexts?.(settings).map((text) => <p>{text}</p>) ?? about.map((text) => <Prose tag="p" text={text} />)}
        </details>
      )}
    </section>
  );
}
