import uPlot from "uplot";
import { hasDots, type PlotModel, valueRange } from "./PlotModel.ts";
import type { PlotTheme } from "./plotTheme.ts";
import "uplot/dist/uPlot.min.css";

/** Charts with this key synchronise their cursors. */
const SYNC = "generations";

/** Called with the index of the position under the cursor, or null when the cursor leaves. */
type OnCursor = (position: number | null) => void;

/** A uPlot chart, updated in place while its lines, bands, scale and theme stay the same. */
export class UplotChart {
  readonly #element: HTMLElement;
  readonly #onCursor: OnCursor;
  #plot: uPlot | null = null;
  #model: PlotModel | null = null;
  #theme: PlotTheme | null = null;
  #shape = "";

  constructor(element: HTMLElement, onCursor: OnCursor) {
    this.#element = element;
    this.#onCursor = onCursor;
  }

  show(model: PlotModel, theme: PlotTheme, size: { width: number; height: number }): void {
    const shape = JSON.stringify([
      model.log,
      model.lines.map(({ label, colour, width, dash }) => [label, colour, width, dash]),
      model.bands,
    ]);
    const anew = this.#plot === null || theme !== this.#theme || shape !== this.#shape;
    const grown = this.#model !== model;
    this.#model = model;
    this.#theme = theme;
    this.#shape = shape;
    if (anew) {
      this.close();
      this.#plot = new uPlot(this.#options(model, theme, size), dataOf(model), this.#element);
      return;
    }
    const plot = this.#plot;
    if (plot === null) return;
    if (plot.width !== size.width || plot.height !== size.height) plot.setSize(size);
    if (grown) plot.setData(dataOf(model));
  }

  close(): void {
    this.#plot?.destroy();
    this.#plot = null;
  }

  #options(model: PlotModel, theme: PlotTheme, size: { width: number; height: number }): uPlot.Options {
    const { colour, font } = theme;
    const axis = {
      stroke: colour["ink-2"],
      font,
      grid: { stroke: colour.line, width: 1 },
      ticks: { stroke: colour.line, width: 1, size: 4 },
    };
    return {
      ...size,
      // At the right, half a label of the horizontal axis has room.
      padding: [8, 28, 0, 0],
      legend: { show: false },
      cursor: {
        y: false,
        drag: { setScale: false, x: false, y: false },
        sync: { key: SYNC, setSeries: false },
        points: { show: false },
      },
      scales: {
        x: { time: false },
        y: {
          distr: model.log ? 3 : 1,
          range: () => [...valueRange(this.#model ?? model)] as [number, number],
        },
      },
      axes: [
        {
          ...axis,
          size: 26,
          values: (_plot, ticks) =>
            ticks.map((tick) => (Number.isInteger(tick) || tick > 50 ? model.formatX(tick) : "")),
        },
        {
          ...axis,
          size: 60,
          space: 24,
          values: (_plot, ticks) => ticks.map((tick) => (tick === null ? "" : model.format(tick))),
        },
      ],
      series: [
        {},
        ...model.lines.map((line) => ({
          label: line.label,
          stroke: colour[line.colour],
          width: line.width,
          spanGaps: model.joined ?? false,
          points: {
            size: 6,
            fill: colour[line.colour],
            show: (plot: uPlot, series: number) => line.width > 0 && hasDots(plot.data[series], model.dotted),
          },
          ...(line.dash ? { dash: [...line.dash] } : {}),
        })),
      ],
      bands: model.bands.map(({ between: [upper, lower], ...band }) => ({
        series: [upper + 1, lower + 1],
        fill: withOpacity(colour[band.colour], band.opacity),
      })),
      hooks: {
        drawAxes: [(plot) => this.#drawUnder(plot)],
        setCursor: [
          (plot) => {
            const { idx } = plot.cursor;
            this.#onCursor(idx === null || idx === undefined || (plot.cursor.left ?? -1) < 0 ? null : idx);
          },
        ],
      },
    };
  }

  #drawUnder(plot: uPlot): void {
    const [model, theme] = [this.#model, this.#theme];
    if (model === null || theme === null) return;
    const { ctx: context, bbox } = plot;
    const ratio = uPlot.pxRatio;
    context.save();
    context.beginPath();
    context.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    context.clip();
    const x = (value: number): number => plot.valToPos(value, "x", true);
    const y = (value: number): number => plot.valToPos(value, "y", true);
    context.lineWidth = ratio;
    context.strokeStyle = theme.colour["ink-3"];
    context.setLineDash([5 * ratio, 4 * ratio]);
    for (const bound of model.bounds) line(context, bbox.left, y(bound), bbox.left + bbox.width, y(bound));
    context.strokeStyle = theme.colour.accent;
    context.setLineDash([2 * ratio, 2 * ratio]);
    for (const mark of model.marks) line(context, x(mark.x), bbox.top, x(mark.x), bbox.top + bbox.height);
    context.setLineDash([]);
    context.fillStyle = theme.colour.accent;
    for (const mark of model.marks) {
      context.beginPath();
      context.arc(x(mark.x), bbox.top + 4 * ratio, 3 * ratio, 0, 2 * Math.PI);
      context.fill();
    }
    model.under?.({ context, x, y, ratio, width: bbox.width }, theme);
    context.restore();
  }
}

function line(context: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number): void {
  context.beginPath();
  context.moveTo(x0, y0);
  context.lineTo(x1, y1);
  context.stroke();
}

// uPlot's types require mutable arrays, although it does not write to them.
const dataOf = ({ x, lines }: PlotModel): uPlot.AlignedData => [
  [...x],
  ...lines.map(({ values }) => [...values]),
];

/** Adds an opacity to a resolved colour, which browsers report as rgb(...). */
const withOpacity = (colour: string, opacity: number): string =>
  colour.startsWith("rgb(") ? colour.replace("rgb(", "rgba(").replace(")", `, ${opacity})`) : colour;
