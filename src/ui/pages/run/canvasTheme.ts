import type { DrawingTheme } from "../../../rl/environments/drawing/drawing.ts";

/**
 * The colours of the page as a canvas needs them: resolved. The canvas' style sheet carries them in properties
 * that a canvas does not show itself.
 */
export function canvasTheme(canvas: HTMLCanvasElement): DrawingTheme {
  const { color, caretColor, outlineColor, backgroundColor } = getComputedStyle(canvas);
  return { ink: color, accent: caretColor, muted: outlineColor, ground: backgroundColor };
}

/** Calls back when the page changes between light and dark; returns the end of it. */
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
