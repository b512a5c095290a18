/**
 * A canvas's 2D context in CSS pixels, with the canvas at the screen's resolution; null if the browser
 * provides none.
 */
export function contextInPixels(canvas: HTMLCanvasElement): CanvasRenderingContext2D | null {
  const ratio = window.devicePixelRatio || 1;
  const width = Math.round(canvas.clientWidth * ratio);
  const height = Math.round(canvas.clientHeight * ratio);
  // Setting a size clears the canvas, even if the size stays the same.
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  const context = canvas.getContext("2d");
  context?.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

/** Strokes a path in one colour. @param width In pixels. @param opacity 0 to 1. */
export function strokePath(
  context: CanvasRenderingContext2D,
  path: Path2D,
  colour: string,
  width: number,
  opacity: number,
): void {
  context.globalAlpha = opacity;
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.stroke(path);
  context.globalAlpha = 1;
}

/** Strokes a line from one point to another, as the context is set. */
export function strokeLine(
  context: CanvasRenderingContext2D,
  x0: number,
  y0: number,
  x1: number,
  y1: number,
): void {
  context.beginPath();
  context.moveTo(x0, y0);
  context.lineTo(x1, y1);
  context.stroke();
}

/**
 * Colours of tokens.css resolved for canvas drawing, in the theme that applies to an element. Read them again
 * when the theme changes.
 * @param names token names without the leading dashes, such as "slot-0"
 */
export function tokenColours<K extends string>(element: HTMLElement, names: readonly K[]): Record<K, string> {
  const probe = document.createElement("span");
  probe.hidden = true;
  element.append(probe);
  const read = (name: string): string => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const colours = Object.fromEntries(names.map((name) => [name, read(name)]));
  probe.remove();
  // fromEntries loses the key type; the keys are exactly `names`.
  return colours as Record<K, string>;
}

/** Calls `changed` when the page changes between light and dark. Returns a function that unsubscribes. */
export function onThemeChange(changed: () => void): () => void {
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  const chosen = new MutationObserver(changed);
  chosen.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  system.addEventListener("change", changed);
  return () => {
    chosen.disconnect();
    system.removeEventListener("change", changed);
  };
}

const COLOURS = 8;

/** The colour of a population slot, the same in every chart and table. */
export const slotColour = (slot: number): string => `var(--slot-${slot % COLOURS})`;
