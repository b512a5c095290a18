import { memo, useEffect, useRef } from "react";
import uPlot from "uplot";
import { strokePath } from "../../lib/drawing.ts";
import { MARGIN, type PlotContent, type PlotScene, strandPath } from "./plotScene.ts";
import { type PlotTheme, withOpacity } from "./plotTheme.ts";
import { usePlotTheme } from "./usePlotTheme.ts";
import "uplot/dist/uPlot.min.css";

/** A uPlot chart, updated in place while its lines, bands, scales and theme stay the same. */
class UplotChart {
  readonly #element: HTMLElement;
  #plot: uPlot | null = null;
  #scene: PlotScene | null = null;
  #theme: PlotTheme | null = null;
  #shape = "";

  constructor(element: HTMLElement) {
    this.#element = element;
  }

  show(scene: PlotScene, theme: PlotTheme): void {
    const { content, x, y, width, height } = scene;
    const shape = JSON.stringify([
      x.log,
      y.log,
      content.joined,
      content.lines.map(({ label, colour, width: thick, dash, opacity, points }) => [
        label,
        colour,
        thick,
        dash,
        opacity,
        points,
      ]),
      content.bands,
    ]);
    const anew = this.#plot === null || theme !== this.#theme || shape !== this.#shape;
    const grown = this.#scene?.content !== content;
    this.#scene = scene;
    this.#theme = theme;
    this.#shape = shape;
    if (anew) {
      this.close();
      this.#plot = new uPlot(this.#options(scene, theme), dataOf(content), this.#element);
      return;
    }
    const plot = this.#plot;
    if (plot === null) return;
    plot.batch(() => {
      if (plot.width !== width || plot.height !== height) plot.setSize({ width, height });
      if (grown) plot.setData(dataOf(content), false);
      for (const [name, { domain }] of [["x", x] as const, ["y", y] as const])
        plot.setScale(name, { min: domain[0], max: domain[1] });
    });
  }

  close(): void {
    this.#plot?.destroy();
    this.#plot = null;
  }

  #options(first: PlotScene, { colour, font }: PlotTheme): uPlot.Options {
    const { content, model, width, height } = first;
    const scene = (): PlotScene => this.#scene ?? first;
    const scale = (name: "x" | "y"): uPlot.Scale => ({
      time: false,
      auto: false,
      distr: scene()[name].log ? 3 : 1,
      range: () => [...scene()[name].domain],
    });
    const axis = {
      stroke: colour["ink-3"],
      font,
      grid: { stroke: colour.line, width: 1 },
      ticks: { stroke: colour.line, width: 1, size: 4 },
    };
    return {
      width,
      height,
      padding: [MARGIN.top, MARGIN.right, 0, 0],
      legend: { show: false },
      // The chart's frame has the cursor and the gestures.
      cursor: { show: false },
      select: { show: false, left: 0, top: 0, width: 0, height: 0 },
      scales: { x: scale("x"), y: scale("y") },
      axes: [
        {
          ...axis,
          grid: { show: false },
          size: MARGIN.bottom,
          splits: () => [...scene().x.ticks],
          values: (_plot, ticks) => ticks.map((tick) => (tick === null ? "" : model.formatX(tick))),
          ...(model.axisLabel === undefined
            ? {}
            : { label: model.axisLabel, labelSize: MARGIN.label, labelFont: font }),
        },
        {
          ...axis,
          size: MARGIN.left,
          splits: () => [...scene().y.ticks],
          // On a logarithmic axis uPlot leaves out labels that it takes for minor ones.
          filter: (_plot, ticks) => ticks,
          values: (_plot, ticks) => ticks.map((tick) => (tick === null ? "" : model.format(tick))),
        },
      ],
      series: [
        {},
        ...content.lines.map((line) => ({
          label: line.label,
          stroke: withOpacity(colour[line.colour], line.opacity),
          width: line.width,
          auto: false,
          spanGaps: content.joined,
          points: { size: 6, fill: colour[line.colour], show: line.points },
          ...(line.dash ? { dash: [...line.dash] } : {}),
        })),
      ],
      bands: content.bands.map(({ between: [upper, lower], colour: name, opacity }) => ({
        series: [upper + 1, lower + 1],
        fill: withOpacity(colour[name], opacity),
      })),
      hooks: { drawAxes: [({ ctx }) => this.#drawStrands(ctx)] },
    };
  }

  #drawStrands(context: CanvasRenderingContext2D): void {
    const [scene, theme] = [this.#scene, this.#theme];
    if (scene === null || theme === null || scene.content.strands.length === 0) return;
    const ratio = uPlot.pxRatio;
    const [[left, right], [bottom, top]] = [scene.x.pixels, scene.y.pixels];
    context.save();
    context.beginPath();
    context.rect(left * ratio, top * ratio, (right - left) * ratio, (bottom - top) * ratio);
    context.clip();
    for (const strand of scene.content.strands) {
      const path = new Path2D(strandPath(strand, scene, ratio));
      strokePath(context, path, theme.colour[strand.colour], strand.width * ratio, strand.opacity);
    }
    context.restore();
  }
}

// Copies of long runs take time.
const dataOf = ({ x, lines }: PlotContent): uPlot.AlignedData =>
  // uPlot's types require mutable arrays, although it does not write to them.
  [x, ...lines.map(({ values }) => values)] as unknown as uPlot.AlignedData;

/** Draws a chart on a canvas, for many points. */
export const UplotSurface = memo(function UplotSurface({ scene }: { readonly scene: PlotScene }) {
  const element = useRef<HTMLDivElement>(null);
  const chart = useRef<UplotChart | null>(null);
  const theme = usePlotTheme(element);
  useEffect(() => {
    if (element.current === null || theme === null) return;
    chart.current ??= new UplotChart(element.current);
    chart.current.show(scene, theme);
  }, [scene, theme]);
  useEffect(
    () => () => {
      chart.current?.close();
      chart.current = null;
    },
    [],
  );
  return <div ref={element} />;
});
