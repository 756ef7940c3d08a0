import { type OptionValues, parseArguments } from "../parse_arguments.ts";
import type { Answers } from "./ask_about_values.ts";
import { FORMAT_OPTIONS } from "./format_options.ts";
import type { OpenQuestion, Unread } from "../../intake/tables/open_questions.ts";

type FormatValues = OptionValues<typeof FORMAT_OPTIONS>;

/** Options that the values of a file as a whole decide, also those that it does not ask for itself. */
const OF_LEVELS = /^--(?:unit|decimal) /;

/** What a file leaves open, if nobody has to fill anything in: with these options, it can be read as its refusal suggests. */
export function suggestedOptions(failure: Unread | undefined): readonly OpenQuestion[] {
  const questions = failure && "questions" in failure ? failure.questions : [];
  return questions.some(({ option }) => /[ =](?:CODE|NAME)(?:=|$)/.test(option)) ? [] : questions;
}

/** What a file leaves open, with what its values want when they are read as suggested: one command then says all. */
export function withValueQuestions(failure: Unread, valueQuestions: readonly OpenQuestion[]): Unread {
  const found = valueQuestions.filter(({ option }) => OF_LEVELS.test(option));
  if (!("questions" in failure) || found.length === 0) return failure;
  const names = found.map(({ option }) => option.split(" ")[0]);
  const kept = failure.questions.map((question) => {
    const at = names.indexOf(question.option.split(" ")[0]);
    return at === -1 ? question : { ...question, option: found[at]!.option };
  });
  const [first, ...others] = [
    ...kept,
    ...found.filter(({ option }) => !kept.some((question) => question.option === option)),
  ];
  return first ? { ...failure, questions: [first, ...others] } : failure;
}

/** What a person says of an import who takes these suggestions. */
export function answersWith(answers: Answers, questions: readonly OpenQuestion[]): Answers {
  const said = (name: string): string | undefined =>
    questions.find(({ option }) => option.startsWith(`${name} `))?.option.split(" ")[1];
  return {
    ...answers,
    unit: (said("--unit") as Answers["unit"]) ?? answers.unit,
    decimal: (said("--decimal") as Answers["decimal"]) ?? answers.decimal,
  };
}

/** The options of a command line, with those of needs. */
export function withSuggested<Values extends FormatValues>(
  options: Values,
  questions: readonly OpenQuestion[],
): Values {
  const words = questions.flatMap(({ option }) =>
    (option.match(/(?:[^\s']|'[^']*')+/g) ?? []).map((word) => word.replace(/'([^']*)'/g, "$1")),
  );
  const added = Object.entries(parseArguments(FORMAT_OPTIONS, words).options).filter(
    ([, value]) => value !== undefined && value !== false,
  );
  return {
    ...options,
    ...Object.fromEntries(
      added.map(([name, value]) => [
        name,
        Array.isArray(value) ? [...(options[name as "map"] ?? []), ...value] : value,
      ]),
    ),
  };
}
