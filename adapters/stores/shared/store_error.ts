/** A store that cannot be opened, or must stop. A program that ends because of it should end with `exitCode`. */
export class StoreError extends Error {
  override readonly name: string = "StoreError";
  readonly exitCode: number;

  constructor(message: string, exitCode: number, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** There is no store where a command looks for one. */
export class MissingStore extends StoreError {}
