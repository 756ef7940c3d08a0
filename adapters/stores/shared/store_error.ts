/** The store cannot be opened or has to stop. The program should end with `exitCode`. */
export class StoreError extends Error {
  override readonly name: string = "StoreError";
  readonly exitCode: number;

  constructor(message: string, exitCode: number, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** A command has found no store. */
export class MissingStore extends StoreError {}

/** The code of an error of the system or of PostgreSQL, such as `ENOSPC`; empty for any other error. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
