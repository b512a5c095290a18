/** The part of gifenc that films use; the package has no types. */
declare module "gifenc" {
  type Palette = readonly (readonly number[])[];

  interface GifFrame {
    readonly palette: Palette;
    /** Milliseconds. */
    readonly delay: number;
    readonly transparent?: boolean;
    readonly transparentIndex?: number;
    /** 1: the picture stays below the next one. */
    readonly dispose?: number;
  }

  interface Gif {
    writeFrame(indices: Uint8Array, width: number, height: number, frame: GifFrame): void;
    finish(): void;
    bytes(): Uint8Array<ArrayBuffer>;
  }

  /** @param colours most colours of the palette */
  export function quantize(rgba: Uint8ClampedArray, colours: number): Palette;
  export function applyPalette(rgba: Uint8ClampedArray, palette: Palette): Uint8Array;
  export function GIFEncoder(): Gif;
}
