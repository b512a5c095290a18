import { saveFile, saveText } from "../../../lib/saveFile.ts";

/** What a drawing takes from the style sheet, written into it so that it looks alike elsewhere. */
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

/** Pixels of a picture for each of the drawing's. */
const SCALE = 2;

/** A drawing as a file's text, in the colours in which it is shown. */
export function drawingText(drawing: SVGSVGElement): string {
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

/** Saves a drawing as an SVG file. @param name without the file's ending */
export const saveDrawing = (name: string, drawing: SVGSVGElement): void =>
  saveText(`${name}.svg`, "image/svg+xml", drawingText(drawing));

/** A drawing as the bytes of a PNG picture, on the page's ground. @throws Error when the browser cannot make one */
export async function drawingPicture(drawing: SVGSVGElement): Promise<Uint8Array<ArrayBuffer>> {
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
    if (context === null) throw new Error("This browser makes no pictures.");
    context.fillStyle = getComputedStyle(drawing.closest(".panel") ?? document.body).backgroundColor;
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await canvas.convertToBlob({ type: "image/png" });
    return new Uint8Array(await blob.arrayBuffer());
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** Saves a drawing as a PNG picture. @param name without the file's ending */
export async function savePicture(name: string, drawing: SVGSVGElement): Promise<void> {
  saveFile({ name: `${name}.png`, type: "image/png", bytes: await drawingPicture(drawing) });
}
