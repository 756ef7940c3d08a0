/** Something that happened to a mirror, for a log. `message` is a sentence without a full stop. */
export interface MirrorEvent {
  readonly level: "info" | "warn" | "error";
  readonly kind:
    /** The upstream refuses the key: the mirror asks for nothing more. */
    | "stopped"
    /** Requests have begun to fail, or work again. */
    | "failing" | "recovered"
    /** The upstream has answered with 429. */
    | "resting"
    /** Records were refused, or kept as `PENDING`. */
    | "refused" | "pending"
    /** The history of an asset is complete. */
    | "complete"
    /** The state could not be saved, so that nothing was asked for. */
    | "state-not-saved";
  readonly message: string;
}
