/** The latest answers that have an entity tag. Their text is kept, as a caller may change what was made of it. */
export interface AnswerMemory {
  get(target: string): Remembered | undefined;
  /** Keeps an answer in place of the one that was not used for longest; does nothing without a tag. */
  set(target: string, etag: string | null, text: string): void;
}

/** An answer that is kept. */
export interface Remembered {
  readonly etag: string;
  readonly text: string;
}

/** Makes a memory of so many answers. */
export function createAnswerMemory(size: number): AnswerMemory {
  const answers = new Map<string, Remembered>(); // the one that was used last stands last
  return {
    get: (target) => answers.get(target),
    set(target, etag, text) {
      answers.delete(target);
      if (etag) answers.set(target, { etag, text });
      for (const [oldest] of answers) if (answers.size > size) answers.delete(oldest);
    },
  };
}
