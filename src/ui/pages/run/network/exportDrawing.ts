import { saveFile, saveText } from "../../../lib/files.ts";

/**
 * Style properties that are copied into an exported drawing, so that it looks the same without the style
 * sheet.
 */
const STYLES = [
  "fill",
  "stroke",
  "stroke-width",
  "opacity",
  "font-family",
  "font-size",
  "font-weight",
  "text-anchor",
] as const;

/** Pixels of the PNG image per pixel of the drawing. */
const SCALE = 2;

/** A drawing as SVG text, in its displayed colours. */
function drawingText(drawing: SVGSVGElement): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const originals = [drawing, ...drawing.querySelectorAll("*")];
  for (const [at, element] of [copy, ...copy.querySelectorAll("*")].entries()) {
    const original = originals[at];
    if (original === undefined) continue;
    const style = getComputedStyle(original);
    element.removeAttribute("class");
    for (const name of STYLES) {
      const value = style.getPropertyValue(name);
      if (value !== "") element.setAttribute(name, value);
    }
  }
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return new XMLSerializer().serializeToString(copy);
}

/** Saves a drawing as an SVG file. @param name file name without its extension */
export const saveDrawing = (name: string, drawing: SVGSVGElement): void =>
  saveText(`${name}.svg`, "image/svg+xml", drawingText(drawing));

/**
 * A drawing as the bytes of a PNG image, on the panel's background.
 * @throws Error if the browser cannot create one
 */
async function drawingPicture(drawing: SVGSVGElement): Promise<Uint8Array<ArrayBuffer>> {
  const url = URL.createObjectURL(new Blob([drawingText(drawing)], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = new OffscreenCanvas(
      drawing.width.baseVal.value * SCALE,
      drawing.height.baseVal.value * SCALE,
    );
    const context = canvas.getContext("2d");
    if (context === null)
      throw new Error(
        "The PNG could not be created: this browser provides no 2D canvas context. Save an SVG instead.",
      );
    context.fillStyle = getComputedStyle(drawing.closest(".panel") ?? document.body).backgroundColor;
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await canvas.convertToBlob({ type: "image/png" });
    return new Uint8Array(await blob.arrayBuffer());
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** Saves a drawing as a PNG image. @param name file name without its extension */
export async function savePicture(name: string, drawing: SVGSVGElement): Promise<void> {
  saveFile({ name: `${name}.png`, type: "image/png", bytes: await drawingPicture(drawing) });
}
