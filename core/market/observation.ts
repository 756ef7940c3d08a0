import type { AssetCode, UtcMillis } from "../brand.ts";

/** Only `ACCEPTED` observations are ever public. */
export const QUALITY_STATUSES = ["ACCEPTED", "PENDING", "REJECTED"] as const;
export type QualityStatus = (typeof QUALITY_STATUSES)[number];

/** One market record: the value of an asset at a business time. `(code, businessTime)` is unique. */
export interface Observation {
  readonly code: AssetCode;
  /** In the asset's quote unit; finite and above zero; kept as given, never rounded. */
  readonly value: number;
  /** The market's time of the record. */
  readonly businessTime: UtcMillis;
  /** The provider's time of publication, where it told one. */
  readonly sourceTime: UtcMillis | null;
  /** When this server took the record in. */
  readonly insertTime: UtcMillis;
  /** Who provided it, where known. */
  readonly provider: string | null;
  readonly qualityStatus: QualityStatus;
  /** A remark on the quality; may be empty. */
  readonly qualityMessage: string;
}
