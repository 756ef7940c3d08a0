import { useEffect, useRef, useState } from "preact/hooks";
import { usePage } from "../context.ts";
import { AnswerBox, answerText } from "./answer_box.tsx";
import { JsonBox } from "./code_box.tsx";
import { ExamplesBox } from "./examples_box.tsx";
import { MESSAGES } from "./messages.ts";
import type { Body, Operation } from "./operations.ts";
import { Prose } from "./prose.tsx";
import { plannedRequest } from "./request.ts";
import { RequestForm } from "./request_form.tsx";
import { send } from "./send.ts";
import { draftOf } from "./drafts.ts";
import type { Draft } from "./drafts.ts";
import { ErrorsTable, FieldsTable, HeadersTable } from "./tables.tsx";

/** A route: what it is, the form that calls it, the answer, and what the document says of it. `level` is that of its heading. */
export function OperationSection({ operation, level }: { readonly operation: Operation; readonly level: 1 | 2 }) {
  const page = usePage();
  const texts = MESSAGES[page.preferences.language];
  const draft = draftOf(operation);
  const Sub = level === 1 ? "h2" : "h3";
  const answer = useRef<HTMLDivElement>(null);
  const sending = useRef<AbortController>();
  const [isBusy, setBusy] = useState(false);
  const [, redraw] = useState({});
  const isLeft = useRef(false);
  useEffect(() => () => {
    isLeft.current = true;
    sending.current?.abort(); // a view that is left takes its request with it
  }, []);

  function change(entries: Partial<Draft["entries"]>): void {
    draft.entries = { ...draft.entries, ...entries };
    redraw({});
  }

  async function call(): Promise<void> {
    if (sending.current !== undefined) return;
    sending.current = new AbortController();
    setBusy(true);
    page.announce(texts.sending);
    try {
      const received = await send(plannedRequest(operation, draft.entries, page.baseUrl), page.key, sending.current.signal);
      Object.assign(draft, { received, thrown: undefined });
      page.noteQuota(received.headers);
      page.announce(answerText(received, page));
    } catch (thrown) {
      if (isLeft.current) return; // and shows the answer before when it is drawn again
      Object.assign(draft, { received: undefined, thrown });
    }
    sending.current = undefined;
    setBusy(false);
    requestAnimationFrame(() => answer.current !== null && reveal(answer.current));
  }

  return (
    <article class="ref-operation">
      <Head operation={operation} level={level} />
      <div class="ref-try">
        <RequestForm operation={operation} level={level} isBusy={isBusy} change={change} send={() => void call()} stop={() => sending.current?.abort()} />
        <section class="ref-answer" aria-label={texts.answer}>
          <Sub>{texts.answer}</Sub>
          <div class="ref-received" ref={answer}>{isBusy ? <p class="loading">{texts.sending}</p> : <AnswerBox operation={operation} draft={draft} />}</div>
        </section>
        <ExamplesBox operation={operation} level={level} />
      </div>
      <div class="ref-docs"><Documentation operation={operation} sub={Sub} /></div>
    </article>
  );
}

function Head({ operation: { method, path, summary, description, keyFields, charge }, level }: { readonly operation: Operation; readonly level: 1 | 2 }) {
  const { preferences, baseUrl } = usePage();
  const texts = MESSAGES[preferences.language];
  return (
    <header>
      <Prose tag={`h${level}`} text={summary} />
      <p class="ref-route" dir="ltr">
        <span class={`ref-method ref-method-${method.toLowerCase()}`}>{method}</span>
        {/* A narrow screen may break the path before its slashes. */}
        <code><span class="ref-base">{baseUrl}</span>{path.split(/(?=\/)/).map((part) => <><wbr />{part}</>)}</code>
      </p>
      <ul class="ref-facts">
        <li>{keyFields.length > 0 ? texts.needsKey : texts.needsNoKey}</li>
        {charge !== undefined && <li>{texts.charge[charge]}</li>}
      </ul>
      {description.map((paragraph) => <Prose tag="p" text={paragraph} />)}
    </header>
  );
}

/** Scrolls as far as needed to show an answer, or the begin of a long one. */
function reveal(answer: HTMLElement): void {
  const { bottom, height } = answer.getBoundingClientRect();
  if (bottom > innerHeight) answer.scrollIntoView({ block: height < innerHeight * 0.8 ? "end" : "start" });
}

function Documentation({ operation: { body, answers, errors }, sub: Sub }: { readonly operation: Operation; readonly sub: "h2" | "h3" }) {
  const { preferences } = usePage();
  const texts = MESSAGES[preferences.language];
  const first = answers.find((answer) => answer.body !== undefined);
  return (
    <>
      {body !== undefined && <section><Sub>{texts.requestBody}</Sub><FieldsTable body={body} /></section>}
      {first?.body !== undefined && <section><Sub>{texts.success}</Sub><FieldsTable body={first.body} /><Example body={first.body} /></section>}
      <section><Sub>{texts.errors}</Sub><ErrorsTable errors={errors} /></section>
      {first !== undefined && <section><Sub>{texts.headers}</Sub><HeadersTable fields={first.headers} /></section>}
    </>
  );
}

function Example({ body: { example } }: { readonly body: Body }) {
  const { preferences } = usePage();
  const { exampleAnswer } = MESSAGES[preferences.language];
  if (example === undefined) return null;
  return <details class="ref-fold"><summary>{exampleAnswer}</summary><JsonBox text={JSON.stringify(example)} label={exampleAnswer} /></details>;
}
