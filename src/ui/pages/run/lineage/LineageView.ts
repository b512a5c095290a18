import { type PlotTheme, plotTheme } from "../../../components/plot/plotTheme.ts";
import { contextInPixels } from "../../../lib/drawing.ts";
import { drawLineage } from "./drawLineage.ts";
import { markRadius } from "./drawNodes.ts";
import type { LineageScene } from "./LineageScene.ts";
import { Minimap } from "./Minimap.ts";
import {
  contained,
  newest,
  panned,
  revealing,
  rowAt,
  type Stage,
  screenX,
  screenY,
  showsNewest,
  type Viewport,
  whole,
  zoomed,
} from "./viewport.ts";

/** Maximum distance in pixels at which the pointer hits an agent's mark. */
const REACH = 10;

/**
 * The lineage on its canvas and minimap. Manages the visible part and draws at most once per frame, outside
 * React.
 */
export class LineageView {
  readonly #canvas: HTMLCanvasElement;
  readonly #minimap: Minimap;
  #theme: PlotTheme;
  #scene: LineageScene | null = null;
  #view: Viewport | null = null;
  /** Whether the view follows the newest generation. */
  #follows = true;
  /** Whether the user has changed the zoom. */
  #chosen = false;
  #frame = 0;

  constructor(canvas: HTMLCanvasElement, minimap: HTMLCanvasElement) {
    this.#canvas = canvas;
    this.#minimap = new Minimap(minimap);
    this.#theme = plotTheme(host(canvas));
  }

  show(scene: LineageScene): void {
    this.#scene = scene;
    this.#request();
  }

  /** Call after a change of size. */
  resize(): void {
    this.#request();
  }

  /** Call after a change between the light and the dark theme. */
  recolour(): void {
    this.#theme = plotTheme(host(this.#canvas));
    this.#request();
  }

  close(): void {
    cancelAnimationFrame(this.#frame);
  }

  /** Zooms around a point of the canvas. Defaults to its centre. */
  zoom(factor: number, x = this.#stage.width / 2, y = this.#stage.height / 2): void {
    this.#chosen = true;
    this.#move((view, stage) => zoomed(view, factor, x, y, stage));
  }

  pan(x: number, y: number): void {
    this.#move((view, stage) => panned(view, x, y, stage));
  }

  showWhole(): void {
    this.#chosen = true;
    this.#move((_view, stage) => whole(stage));
  }

  showNewest(): void {
    this.#chosen = false;
    this.#follows = true;
    this.#view = null;
    this.#request();
  }

  /** Scrolls a cell into view. */
  reveal(cell: number): void {
    const scene = this.#scene;
    if (scene === null) return;
    const row = Math.floor(cell / scene.graph.population);
    this.#move((view, stage) => revealing(view, scene.places.across.of(row), scene.places.of(cell), stage));
  }

  /** Centres the place at a point of the minimap. */
  showAtMinimap(x: number): void {
    const stage = this.#stage;
    const row = this.#minimap.rowAt(x, stage);
    this.#move((view) => contained({ ...view, row: row - stage.width / 2 / view.dx }, stage));
  }

  /** The cell at a point of the canvas; -1 for none. */
  cellAt(x: number, y: number): number {
    const view = this.#view;
    const scene = this.#scene;
    if (view === null || scene === null) return -1;
    const { graph, places } = scene;
    const row = places.across.rowNear(rowAt(view, x));
    const across = screenX(view, places.across.of(row)) - x;
    let [found, nearest] = [-1, Math.max(REACH, markRadius(view, places))];
    for (let cell = row * graph.population; cell < (row + 1) * graph.population; cell += 1) {
      const away = Math.hypot(across, screenY(view, places.of(cell)) - y);
      if (away <= nearest) [found, nearest] = [cell, away];
    }
    return found;
  }

  /** The position of a cell on the canvas, in CSS pixels. */
  placeOf(cell: number): { readonly x: number; readonly y: number } {
    const view = this.#view;
    const scene = this.#scene;
    if (view === null || scene === null) return { x: 0, y: 0 };
    const row = Math.floor(cell / scene.graph.population);
    const { places } = scene;
    return { x: screenX(view, places.across.of(row)), y: screenY(view, places.of(cell)) };
  }

  get #stage(): Stage {
    return {
      width: this.#canvas.clientWidth,
      height: this.#canvas.clientHeight,
      rows: this.#scene?.graph.generations ?? 0,
      lanes: this.#scene?.places.lanes ?? 0,
    };
  }

  #move(change: (view: Viewport, stage: Stage) => Viewport): void {
    const stage = this.#stage;
    if (stage.width === 0) return;
    this.#view = change(this.#view ?? newest(stage), stage);
    this.#follows = showsNewest(this.#view, stage);
    this.#request();
  }

  #request(): void {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
    });
  }

  #draw(): void {
    const scene = this.#scene;
    const stage = this.#stage;
    if (scene === null || stage.width === 0) return;
    if (this.#view === null || (this.#follows && !this.#chosen)) this.#view = newest(stage);
    else if (this.#follows) this.#view = newest(stage, this.#view.dx);
    const view = contained(this.#view, stage);
    this.#view = view;
    const context = contextInPixels(this.#canvas);
    if (context) drawLineage({ context, scene, theme: this.#theme, view, stage });
    this.#minimap.draw(scene, this.#theme, view, stage);
  }
}

/** The element whose theme determines the canvas's colours. */
const host = (canvas: HTMLCanvasElement): HTMLElement => canvas.parentElement ?? document.body;
