import { useEffect, useRef } from "react";
import { contextInPixels } from "../../lib/drawing.ts";
import { toPixel } from "./plotScale.ts";
import type { PlotScene } from "./plotScene.ts";
import type { PlotTheme } from "./plotTheme.ts";
import { usePlotTheme } from "./usePlotTheme.ts";

/** Opacity of a dot: several on one place are darker. */
export const DOT_OPACITY = 0.55;

/** A dot in pixels. */
interface Dot {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  /** Colour of a lineage. */
  readonly colour: number;
}

/** The dots of a scene in their order, without those that others of their colour would hide. */
export function shownDots({ content, x, y }: Pick<PlotScene, "content" | "x" | "y">): Dot[] {
  const found: Dot[] = [];
  const taken = new Set<number>();
  const [left, right] = x.pixels;
  const [bottom, top] = y.pixels;
  for (const dots of content.dots) {
    for (let at = 0; at < dots.x.length; at += 1) {
      const place = {
        x: toPixel(x, dots.x[at] ?? Number.NaN),
        y: toPixel(y, dots.y[at] ?? Number.NaN),
      };
      if (!(place.x >= left && place.x <= right && place.y >= top && place.y <= bottom)) continue;
      const colour = dots.colours[at] ?? 0;
      const key = (Math.round(place.x) * 10_000 + Math.round(place.y)) * 8 + colour;
      if (taken.has(key)) continue;
      taken.add(key);
      found.push({ ...place, radius: dots.radius, colour });
    }
  }
  return found;
}

function drawDots(canvas: HTMLCanvasElement, scene: PlotScene, { members, colour }: PlotTheme): void {
  const context = contextInPixels(canvas);
  if (context === null) return;
  context.clearRect(0, 0, scene.width, scene.height);
  context.globalAlpha = DOT_OPACITY;
  const dots = shownDots(scene);
  canvas.dataset.dots = String(dots.length);
  for (const dot of dots) {
    context.fillStyle = members[dot.colour] ?? colour.accent;
    context.beginPath();
    context.arc(dot.x, dot.y, dot.radius, 0, 2 * Math.PI);
    context.fill();
  }
  context.globalAlpha = 1;
}

/** The dots of a chart, of which there may be tens of thousands. */
export function PlotCanvas({ scene }: { readonly scene: PlotScene }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const theme = usePlotTheme(useRef(document.body));
  useEffect(() => {
    if (canvas.current !== null && theme !== null) drawDots(canvas.current, scene, theme);
  }, [scene, theme]);
  return (
    <canvas
      ref={canvas}
      className="plot__dots cover"
      aria-hidden="true"
      style={{ width: scene.width, height: scene.height }}
    />
  );
}
