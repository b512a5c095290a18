import type { PlotTheme } from "../../../components/plot/plotTheme.ts";
import { contextInPixels } from "../../../lib/drawing.ts";
import type { LineageFate } from "../descent/LineageGraph.ts";
import { drawEdges } from "./drawLineage.ts";
import type { LineageScene } from "./LineageScene.ts";
import type { Places } from "./treeLayout.ts";
import { rowAt, type Stage, screenX, type Viewport, whole } from "./viewport.ts";

/**
 * An overview of the whole lineage. Redraws the lines only when they change, and the frame around the visible
 * part every time.
 */
export class Minimap {
  readonly #canvas: HTMLCanvasElement;
  readonly #lines = document.createElement("canvas");
  #drawn: {
    readonly fate: LineageFate;
    readonly places: Places;
    readonly theme: PlotTheme;
    readonly width: number;
  } | null = null;

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas;
  }

  draw(scene: LineageScene, theme: PlotTheme, view: Viewport, stage: Stage): void {
    const context = contextInPixels(this.#canvas);
    const small = this.#small(stage);
    if (context === null || small.width === 0) return;
    this.#drawLines(scene, theme, small);
    context.clearRect(0, 0, small.width, small.height);
    context.drawImage(this.#lines, 0, 0, small.width, small.height);
    const all = everything(small);
    const left = Math.max(0.75, screenX(all, rowAt(view, 0)));
    const right = Math.min(small.width - 0.75, screenX(all, rowAt(view, stage.width)));
    context.strokeStyle = theme.colour.accent;
    context.lineWidth = 1.5;
    context.strokeRect(left, 0.75, right - left, small.height - 1.5);
  }

  /** The place at a point of the minimap. */
  rowAt(x: number, stage: Stage): number {
    return rowAt(everything(this.#small(stage)), x);
  }

  #small(stage: Stage): Stage {
    return { ...stage, width: this.#canvas.clientWidth, height: this.#canvas.clientHeight };
  }

  #drawLines(scene: LineageScene, theme: PlotTheme, small: Stage): void {
    const { fate, places } = scene;
    const { width } = this.#canvas;
    const before = this.#drawn;
    if (before?.fate === fate && before.places === places && before.theme === theme && before.width === width)
      return;
    this.#drawn = { fate, places, theme, width };
    this.#lines.width = width;
    this.#lines.height = this.#canvas.height;
    const context = this.#lines.getContext("2d");
    context?.scale(width / small.width, width / small.width);
    if (context) drawEdges({ context, scene, theme, view: everything(small), stage: small });
  }
}

/** The viewport that shows the whole lineage, from edge to edge. */
function everything(small: Stage): Viewport {
  const { dx } = whole({ ...small, height: 1000 });
  const dy = (small.height - 8) / Math.max(1, small.lanes - 1);
  return { dx, dy, row: -20 / dx, lane: -4 / dy };
}
