/** Bytes of a log that cannot be served. */
export interface Damage {
  readonly offset: number;
  /** 0 for lines that are missing. */
  readonly length: number;
  readonly reason: string;
}

/** The first line of a log's file. */
export interface Header {
  readonly kind: string;
  readonly schema: number;
  readonly storeId: string;
  /** Number of the file within its log, from 1. */
  readonly segment: number;
  /** Sequence number of the first line after the header. */
  readonly first: number;
  /** Checksum of the last line of the file before. */
  readonly prev: string;
}

/** A place in a log up to which it need not be read. */
export interface Resume {
  readonly segment: number;
  readonly length: number;
  /** Sequence number of the next line. */
  readonly next: number;
  readonly generation: number;
  /** That of the file with this place. */
  readonly header: Header;
}

/** What a scan is to expect, and what it does with what it finds. */
export interface ScanPlan<T> {
  readonly kind: string;
  readonly storeId: string;
  /** Sequence number that the first line must have; `undefined` to take the header's word. */
  readonly first: number | undefined;
  /** Generation that no line may be below. Default 0. */
  readonly generation?: number | undefined;
  /** Where to begin. Default: the start. */
  readonly resume?: Resume | undefined;
  /** Makes the record of a line whose checksum is right; `undefined` when it is none. */
  decode(line: object): T | undefined;
  /** Reads ordinary lines without making objects of them. */
  readonly quick?: QuickReader<T> | undefined;
  /** Takes a record in, in order. It is not to be kept: the quick reader uses it again. */
  accept(record: T, sequence: number): void;
}

/**
 * Reads lines that are as the program writes most of them, straight from the bytes. What it tells is that of the line
 * read last. It makes nothing anew for a line: what a million lines leave behind would stay in the memory for long.
 */
export interface QuickReader<T> extends LineRead<T> {
  /** Into which a line is read: one that `blank` made. */
  record: T;
  /** Makes a record to read into. */
  blank(): T;
  /**
   * Reads the line that begins at `start`; gives the place of its seal, or -1 when it is not an ordinary
   * one, or when less than half a kilobyte follows in `bytes`. Checks no checksum.
   */
  read(bytes: Buffer, start: number): number;
}

/** A line that is as the program writes them. */
export interface LineRead<T> {
  readonly sequence: number;
  readonly generation: number;
  /** Whether it is the last line of its group. */
  readonly ends: boolean;
  readonly record: T;
}

/** What a file of a log holds. */
export interface Scan {
  readonly header: Header | undefined;
  readonly lines: number;
  /** Sequence number for the next line. */
  readonly next: number;
  /** The highest generation of a line. */
  readonly generation: number;
  /** Checksum of the last good line, the header included. */
  readonly check: string;
  /** Where the good part ends, and the next group belongs. */
  readonly end: number;
  readonly size: number;
  readonly damages: readonly Damage[];
  /** A group at the end whose write did not get through. */
  readonly torn: Damage | undefined;
}
