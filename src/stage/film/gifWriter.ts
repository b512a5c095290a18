import { applyPalette, GIFEncoder, quantize } from "gifenc";
import { changedPixels } from "./changedPixels.ts";
import type { FilmSize, FilmWriter } from "./FilmWriter.ts";

/** Colours of a picture; one more stands for the pixel of the picture before. */
const COLOURS = 255;

/** Writes a GIF that repeats. Each picture has a palette of its own, and only what has changed. */
export function gifWriter({ width, height, rate }: FilmSize): FilmWriter {
  const gif = GIFEncoder();
  let before: Uint32Array | null = null;
  return {
    async add(canvas) {
      const { data } = canvas.getContext("2d")?.getImageData(0, 0, width, height) ?? {};
      if (data === undefined) throw new Error("This browser does not let canvases in workers be read.");
      const now = new Uint32Array(data.buffer);
      const changed = changedPixels(now, before);
      const picked = Uint32Array.from(changed, (at) => now[at] ?? 0);
      const rgba = new Uint8ClampedArray(picked.buffer);
      const palette = changed.length === 0 ? [] : quantize(rgba, COLOURS);
      const found = changed.length === 0 ? [] : applyPalette(rgba, palette);
      const same = palette.length;
      const indices = new Uint8Array(now.length).fill(same);
      for (const [i, at] of changed.entries()) indices[at] = found[i] ?? same;
      gif.writeFrame(indices, width, height, {
        palette: [...palette, [0, 0, 0]],
        delay: 1000 / rate,
        transparent: true,
        transparentIndex: same,
        dispose: 1,
      });
      before = now;
    },
    async finish() {
      gif.finish();
      return gif.bytes();
    },
  };
}
