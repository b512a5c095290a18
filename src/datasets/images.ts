/** Images of data sets, which Minari stores as JPEG. */
import { DatasetError } from "./DatasetError.ts";

/** Channels per pixel in a browser's image data: red, green, blue, alpha. */
const CANVAS_CHANNELS = 4;

/**
 * Decodes JPEG images into pixel values, image by image.
 * @param shape [height, width, channels], with 1 or 3 channels.
 * @throws DatasetError in Node, which cannot decode images, and for an image of another size.
 */
export async function decodeJpegs(
  files: readonly Uint8Array[],
  shape: readonly number[],
  place: string,
): Promise<Uint8Array> {
  if (typeof createImageBitmap === "undefined" || typeof OffscreenCanvas === "undefined")
    throw new DatasetError(
      place,
      "its images are JPEG, which only browsers can decode; train in the workbench, or use a data set with jpeg_encoding false",
    );
  const [height = 0, width = 0, channels = 0] = shape;
  if (channels !== 1 && channels !== 3)
    throw new DatasetError(
      place,
      `found images of shape [${shape.join(", ")}], allowed 1 or 3 channels at the end`,
    );
  const size = height * width * channels;
  const out = new Uint8Array(files.length * size);
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) throw new DatasetError(place, "this browser provides no 2D canvas to decode images with");
  for (const [i, file] of files.entries()) {
    const bitmap = await createImageBitmap(new Blob([Uint8Array.from(file)], { type: "image/jpeg" }));
    if (bitmap.width !== width || bitmap.height !== height)
      throw new DatasetError(
        place,
        `row ${i}: found an image of ${bitmap.width} x ${bitmap.height}, allowed ${width} x ${height}`,
      );
    context.drawImage(bitmap, 0, 0);
    bitmap.close();
    const { data } = context.getImageData(0, 0, width, height);
    for (let pixel = 0; pixel < height * width; pixel++)
      for (let c = 0; c < channels; c++)
        out[i * size + pixel * channels + c] = data[pixel * CANVAS_CHANNELS + c] as number;
  }
  return out;
}
