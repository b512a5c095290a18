import { pictureOf } from "../../../lib/drawnPicture.ts";
import { saveFile, saveText } from "../../../lib/files.ts";

/**
 * Style properties that are copied into an exported drawing, so that it looks the same without the style
 * sheet.
 */
const STYLES = [
  "fill",
  "stroke",
  "stroke-width",
  "stroke-opacity",
  "stroke-dasharray",
  "opacity",
  "font-family",
  "font-size",
  "font-weight",
  "text-anchor",
] as const;

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

/** Saves a drawing as a PNG image, on the panel's background. @param name file name without its extension */
export async function savePicture(name: string, drawing: SVGSVGElement): Promise<void> {
  const bytes = await pictureOf({
    svg: drawingText(drawing),
    width: drawing.width.baseVal.value,
    height: drawing.height.baseVal.value,
    background: getComputedStyle(drawing.closest(".panel") ?? document.body).backgroundColor,
  });
  saveFile({ name: `${name}.png`, type: "image/png", bytes });
}
