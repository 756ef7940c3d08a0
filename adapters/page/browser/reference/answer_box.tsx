import { quotaOf } from "../../../client/mod.ts";
import { usePage } from "../context.ts";
import type { PageContext } from "../context.ts";
import { openKeyPanel } from "../header/key_panel.tsx";
import { messagesOf } from "../messages.ts";
import { FailureBox } from "../ui/failure_box.tsx";
import { KeyLink } from "../ui/key_link.tsx";
import { JsonBox } from "./code_box.tsx";
import { objectOf, textOf } from "./document.ts";
import { MESSAGES } from "./messages.ts";
import type { HeaderField, Operation } from "./operations.ts";
import { Code, withCode } from "./prose.tsx";
import { DotSegments } from "./request.ts";
import type { Received, Draft } from "./drafts.ts";
import { adviceFor, statusMessage } from "./status_messages.ts";
import { HeadersTable, statusClass } from "./tables.tsx";

/** What came back: the answer, the failure to get one, or a word on what will stand here. */
export function AnswerBox({ operation, draft: { received, thrown } }: { readonly operation: Operation; readonly draft: Draft }) {
  const { preferences } = usePage();
  const texts = MESSAGES[preferences.language];
  if (isAbort(thrown)) return <p class="ref-note">{texts.stopped}</p>;
  if (thrown instanceof DotSegments) return <p class="ref-note" role="alert">{withCode(texts.dotSegments)}</p>;
  if (thrown !== undefined) return <FailureBox thrown={thrown} />;
  if (received === undefined) return <p class="ref-empty">{texts.noAnswerYet}</p>;
  return (
    <div>
      <StatusLine received={received} />
      <details id={`ref-fields-${operation.elementId}`} class="ref-fold"><summary>{texts.headers}</summary><HeadersTable fields={receivedFields(operation, received)} /></details>
      {received.text === "" ? <p>{texts.emptyBody}</p> : <JsonBox key={received.text} text={received.text} label={texts.body} />}
    </div>
  );
}

/** What an answer says in one sentence, for screen readers. */
export function answerText({ status, milliseconds }: Received, { preferences, format }: Pick<PageContext, "preferences" | "format">): string {
  const texts = messagesOf(MESSAGES, preferences.language);
  return `${status}: ${statusMessage(status, preferences.language).title}. ${texts.took(format.number(Math.round(milliseconds)))}`;
}

function StatusLine({ received: { status, milliseconds, headers, text } }: { readonly received: Received }) {
  const { preferences, format, now } = usePage();
  const texts = MESSAGES[preferences.language];
  const { title, text: meaning } = statusMessage(status, preferences.language);
  const quota = quotaOf(headers);
  const failure = status < 400 ? undefined : failureIn(text);
  const isQuota = failure?.code === "QUOTA_EXCEEDED";
  const seconds = headers.get("Retry-After");
  const notice = headers.get("X-Notice");
  return (
    <div class="ref-result">
      <p class="ref-result-line">
        <span class={statusClass(status)}><bdi dir="ltr">{status}</bdi></span>
        <strong>{title}</strong>
        <span class="small">{texts.took(format.number(Math.round(milliseconds)))}</span>
        {quota !== undefined && <span class="small">{texts.unitsLeft(format.number(quota.remaining), quota.limit === undefined ? undefined : format.number(quota.limit))}</span>}
      </p>
      <p>{withCode((failure && adviceFor(failure.code, preferences.language)) ?? meaning)}</p>
      {failure !== undefined && <p class="ref-message" lang="en" dir="ltr"><code>{failure.code}</code> {failure.message}</p>}
      {notice !== null && <p class="ref-note"><Code text="X-Notice" /> <span lang="en" dir="ltr">{notice}</span></p>}
      {isQuota && quota !== undefined && <p>{texts.nextDay(format.dateTime(quota.resetsAt), format.age(quota.resetsAt.getTime(), now))}</p>}
      {!isQuota && seconds !== null && <p>{texts.retryAfter(seconds)}</p>}
      {(status === 401 || isQuota) && <p><button type="button" onClick={openKeyPanel}>{texts.enterKey}</button> <KeyLink /></p>}
    </div>
  );
}

/** Code and message of an error body. */
function failureIn(text: string): { readonly code: string; readonly message: string } | undefined {
  try {
    const { code: name, message } = objectOf(JSON.parse(text));
    return typeof name === "string" ? { code: name, message: textOf(message) ?? "" } : undefined;
  } catch {
    return undefined; // an answer of something between here and the server
  }
}

/** The fields of an answer: first those that the document explains, in its order. */
function receivedFields({ answers }: Operation, { headers }: Received): readonly (HeaderField & { readonly value: string })[] {
  const documented = new Map([...ALSO, ...answers.flatMap((answer) => answer.headers)].map((field) => [field.name.toLowerCase(), field]));
  const known = [...documented].flatMap(([name, field]) => (headers.has(name) ? [{ ...field, value: headers.get(name) ?? "" }] : []));
  const others = [...headers].filter(([name]) => !documented.has(name)).map(([name, value]) => ({ name, value, description: "", example: undefined }));
  return [...known, ...others];
}

const ALSO: readonly HeaderField[] = [{ name: "Retry-After", description: "Seconds after which to try again", example: undefined }];

function isAbort(thrown: unknown): boolean {
  return thrown instanceof DOMException && thrown.name === "AbortError";
}
