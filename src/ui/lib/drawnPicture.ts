/** A drawing as SVG text, with its size in pixels. */
interface Drawn {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
  /** Colour behind it. Defaults to none. */
  readonly background?: string;
}

/** Pixels of the PNG image per pixel of the drawing. */
const SCALE = 2;

/**
 * A drawing as the bytes of a PNG image.
 * @throws Error if the browser cannot create one
 */
export async function pictureOf({ svg, width, height, background }: Drawn): Promise<Uint8Array<ArrayBuffer>> {
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = new OffscreenCanvas(width * SCALE, height * SCALE);
    const context = canvas.getContext("2d");
    if (context === null)
      throw new Error(
        "The PNG could not be created: this browser provides no 2D canvas context. Save an SVG instead.",
      );
    if (background !== undefined) {
      context.fillStyle = background;
      context.fillRect(0, 0, canvas.width, canvas.height);
    }
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await canvas.convertToBlob({ type: "image/png" });
    return new Uint8Array(await blob.arrayBuffer());
  } finally {
    URL.revokeObjectURL(url);
  }
}
