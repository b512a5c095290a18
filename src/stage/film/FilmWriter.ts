/** What makes a file of a film's pictures. */
export interface FilmWriter {
  /** Adds the next picture. Resolves when there is room for another one. */
  add(canvas: OffscreenCanvas): Promise<void>;
  /** The whole file. */
  finish(): Promise<Uint8Array<ArrayBuffer>>;
}

export interface FilmSize {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** Pictures a second. */
  readonly rate: number;
}
