import { useLayoutEffect, useRef } from "preact/hooks";
import { usePage } from "../context.ts";
import { openKeyPanel } from "../header/key_panel.tsx";
import { KeyLink } from "../ui/key_link.tsx";
import { Segmented } from "../ui/segmented.tsx";
import { FieldControl } from "./field_control.tsx";
import { MESSAGES } from "./messages.ts";
import type { Operation, Parameter } from "./operations.ts";
import { Code, Prose } from "./prose.tsx";
import { firstEntries } from "./request.ts";
import type { Entries } from "./request.ts";
import { draftOf } from "./drafts.ts";
import { ShapeText } from "./tables.tsx";

/** What the form shows and reports. */
export interface FormProps {
  readonly operation: Operation;
  readonly level: 1 | 2;
  /** Whether its request is under way. */
  readonly isBusy: boolean;
  change(entries: Partial<Entries>): void;
  send(): void;
  stop(): void;
}

/** The form of an operation. It refuses no value, so that one can see what a server says to a mistake. */
export function RequestForm({ operation, level, isBusy, change, send, stop }: FormProps) {
  const { key, preferences } = usePage();
  const texts = MESSAGES[preferences.language];
  const { entries } = draftOf(operation);
  const submit = useRef<HTMLButtonElement>(null);
  const stopping = useRef(false);
  const Title = level === 1 ? "h2" : "h3";
  const hasFields = operation.parameters.length > 0 || operation.body !== undefined;
  useLayoutEffect(() => {
    // A button that is hidden loses the focus, and a visitor with a keyboard the place in the page.
    if (!isBusy && stopping.current) submit.current!.focus();
    stopping.current = false;
  }, [isBusy]);

  return (
    <form class="ref-form" noValidate onSubmit={(event) => (event.preventDefault(), send())}>
      <Title>{texts.tryIt}</Title>
      <div class="ref-fields">
        {operation.parameters.map((parameter) => (
          <ParameterField
            key={parameter.name} parameter={parameter} operation={operation} value={entries.values[parameter.name] ?? ""}
            change={(value) => change({ values: { ...draftOf(operation).entries.values, [parameter.name]: value } })}
          />
        ))}
        {operation.body !== undefined && <BodyField operation={operation} value={entries.body} change={(body) => change({ body })} />}
      </div>
      {operation.keyFields.length > 0 && (
        <Segmented
          name={`ref-key-${operation.elementId}`} isLabelled label={texts.keyForm} options={texts.keyForms}
          chosen={entries.keyForm} choose={(keyForm) => change({ keyForm })}
        />
      )}
      {operation.keyFields.length > 0 && key === undefined && (
        <p class="ref-note">{texts.noKeyYet} <button type="button" onClick={openKeyPanel}>{texts.enterKey}</button> <KeyLink /></p>
      )}
      <p class="ref-acts">
        <button id={`ref-send-${operation.elementId}`} ref={submit} type="submit" class="primary" aria-disabled={isBusy}>{texts.send}</button>
        <button type="button" hidden={!isBusy} onClick={() => ((stopping.current = true), stop())}>{texts.stop}</button>
        {hasFields && <button type="button" class="ref-quiet" onClick={() => change({ ...firstEntries(operation, new Date()), keyForm: entries.keyForm })}>{texts.reset}</button>}
      </p>
      {operation.parameters.length > 0 && <p class="small">{texts.freely}</p>}
    </form>
  );
}

function BodyField({ operation, value, change }: { readonly operation: Operation; readonly value: string; change(value: string): void }) {
  const { preferences } = usePage();
  const id = `ref-body-${operation.elementId}`;
  return (
    <div class="ref-field">
      <label for={id}>{MESSAGES[preferences.language].requestBody} <Code text={operation.body?.contentType ?? ""} class="ref-shape" /></label>
      <textarea id={id} rows={5} dir="ltr" spellcheck={false} autocomplete="off" value={value} onInput={({ currentTarget }) => change(currentTarget.value)} />
    </div>
  );
}

interface FieldProps {
  readonly parameter: Parameter;
  readonly operation: Operation;
  readonly value: string;
  change(value: string): void;
}

function ParameterField({ parameter, operation, value, change }: FieldProps) {
  const { preferences } = usePage();
  const texts = MESSAGES[preferences.language];
  const id = `ref-${operation.elementId}-${parameter.name}`;
  return (
    <div class="ref-field">
      <label for={id}>
        <Code text={parameter.name} />
        <span class={parameter.required ? "ref-required" : "ref-optional"}>{parameter.required ? texts.required : texts.optional}</span>
        {parameter.place === "path" && <span class="ref-optional">{texts.inPath}</span>}
      </label>
      <FieldControl id={id} parameter={parameter} value={value} describedBy={`${id}-hint`} change={change} />
      <div id={`${id}-hint`} class="ref-hint">{parameter.description !== undefined && <Prose tag="div" text={parameter.description} />}<ShapeText shape={parameter.shape} /></div>
    </div>
  );
}
