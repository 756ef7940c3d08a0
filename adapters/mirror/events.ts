/** Something that happened to a mirror, for a log. `message` is a sentence without a full stop. */
export interface MirrorEvent {
  readonly level: "info" | "warn" | "error";
  readonly kind:
    /** The upstream refuses the key: the mirror asks for nothing more. */
    | "stopped"
    /** Requests have begun to fail, or work again. */
    | "failing" | "recovered"
    /** Nothing is asked for a while: the upstream has answered with 429, or others have used up the units of the key. */
    | "resting"
    /** The plan of the key has fewer units a day than the mirror may spend. */
    | "smaller-plan"
    /** Records were refused, or kept as `PENDING`. */
    | "refused" | "pending"
    /** The history of an asset is complete. */
    | "complete"
    /** The state could not be saved, so that nothing was asked for. */
    | "state-not-saved";
  readonly message: string;
}
