import { escaped } from "../../lib/escaped.ts";
import { plotSlug } from "../../routes/plotViews.ts";
import { cutDots } from "./cutDots.ts";
import { DOT_OPACITY, shownDots } from "./PlotCanvas.tsx";
import { AXIS_LABELS, type PlotEntry } from "./PlotModel.ts";
import { toPixel } from "./plotScale.ts";
import { MARGIN, type PlotScene, type ShownLine, strandPath } from "./plotScene.ts";
import type { PlotColour, PlotTheme } from "./plotTheme.ts";

/** A chart as a file shows it. */
interface Drawing {
  readonly title: string;
  readonly scene: PlotScene;
  readonly legend: readonly PlotEntry[];
}

const fixed = (value: number): string => value.toFixed(1);

type Attributes = Readonly<Record<string, string | number | undefined>>;

/** An element of a drawing. */
function element(name: string, attributes: Attributes, content = ""): string {
  const written = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined
      ? []
      : [`${key}="${escaped(typeof value === "number" ? String(Number(value.toFixed(3))) : value)}"`],
  );
  return `<${name} ${written.join(" ")}>${content}</${name}>`;
}

/**
 * The path of a line. Of many positions within one pixel it has the first, lowest, highest and last, which look the
 * same.
 */
export function linePath(
  positions: readonly number[],
  values: readonly (number | null)[],
  { x, y, content }: Pick<PlotScene, "x" | "y" | "content">,
): string {
  const points: string[] = [];
  let pen = "M";
  let column: { place: number; first: number; low: number; high: number; last: number } | null = null;
  const write = (place: number, value: number): void => {
    points.push(`${pen}${fixed(place)} ${fixed(value)}`);
    pen = "L";
  };
  const flush = (): void => {
    if (column === null) return;
    const { place, first, low, high, last } = column;
    for (const value of new Set([first, low, high, last])) write(place, value);
    column = null;
  };
  const [left, right] = x.pixels;
  for (let at = 0; at < positions.length; at += 1) {
    const value = values[at] ?? null;
    const down = value === null ? Number.NaN : toPixel(y, value);
    if (!Number.isFinite(down)) {
      flush();
      if (!content.joined) pen = "M";
      continue;
    }
    const across = toPixel(x, positions[at] ?? Number.NaN);
    // What lies far outside is cut, but the next position beyond an end is needed.
    if (
      toPixel(x, positions[at + 1] ?? Number.NaN) < left ||
      toPixel(x, positions[at - 1] ?? Number.NaN) > right
    )
      continue;
    const place = Math.round(across * 2) / 2;
    if (column !== null && column.place === place) {
      column.low = Math.min(column.low, down);
      column.high = Math.max(column.high, down);
      column.last = down;
    } else {
      flush();
      column = { place, first: down, low: down, high: down, last: down };
    }
  }
  flush();
  return points.join("");
}

/** The area between two lines. */
function bandPath(upper: ShownLine, lower: ShownLine, scene: PlotScene): string {
  const { x } = scene.content;
  const both = x.map((_, at) => (upper.values[at] ?? null) !== null && (lower.values[at] ?? null) !== null);
  const only = ({ values }: ShownLine) => values.map((value, at) => (both[at] ? value : null));
  const joined = { ...scene, content: { ...scene.content, joined: true } };
  const above = linePath(x, only(upper), joined);
  const below = linePath(x, only(lower), joined).slice(1).split("L").toReversed().join("L");
  return above === "" || below === "" ? "" : `${above}L${below}Z`;
}

const LEGEND = { row: 20, sample: 18, gap: 22, letter: 6.6 } as const;
const HEAD = 28;

/** The entries of a legend in rows, from a height on. */
function legendOf(
  entries: readonly PlotEntry[],
  { width }: PlotScene,
  { colour }: PlotTheme,
  from: number,
): { readonly svg: string; readonly height: number } {
  let [across, down] = [MARGIN.left, from];
  const parts = entries.map(({ label, colour: name, mark, opacity = 1 }) => {
    const long = LEGEND.sample + 6 + label.length * LEGEND.letter + LEGEND.gap;
    if (across > MARGIN.left && across + long > width) [across, down] = [MARGIN.left, down + LEGEND.row];
    const stroke = colour[name];
    const place = { x1: across, x2: across + LEGEND.sample, y1: down, y2: down };
    const sample =
      mark === "band"
        ? element("rect", { x: across, y: down - 5, width: LEGEND.sample, height: 10, fill: stroke, opacity })
        : mark === "dots"
          ? element("circle", { cx: across + 9, cy: down, r: 3, fill: stroke, opacity })
          : element("line", {
              ...place,
              stroke,
              "stroke-width": 2,
              opacity,
              "stroke-dasharray": { dash: "5 3", dotted: "2 3" }[mark as "dash" | "dotted"],
            });
    const text = element(
      "text",
      { x: across + LEGEND.sample + 6, y: down + 4, fill: colour["ink-2"] },
      escaped(label),
    );
    across += long;
    return sample + text;
  });
  return { svg: parts.join(""), height: entries.length === 0 ? 0 : down - from + LEGEND.row };
}

/** A colour as a drawing writes it: by its token on a page, as a value in a file. */
type Colours = (name: PlotColour) => string;

/** The axes with their labels, and the grid. */
function axesOf({ x, y, model, height }: PlotScene, colour: Colours): string {
  const [left, right] = x.pixels;
  const [bottom, top] = y.pixels;
  const line = colour("line-strong");
  const label = (text: string, attributes: Attributes): string =>
    element("text", { fill: colour("ink-3"), ...attributes }, escaped(text));
  return [
    ...y.ticks.flatMap((tick) => {
      const down = toPixel(y, tick);
      return [
        element("line", { x1: left, x2: right, y1: down, y2: down, stroke: colour("line") }),
        label(model.format(tick), { x: left - 8, y: down + 4, "text-anchor": "end" }),
      ];
    }),
    element("line", { x1: left, x2: right, y1: bottom, y2: bottom, stroke: line }),
    element("line", { x1: left, x2: left, y1: top, y2: bottom, stroke: line }),
    ...x.ticks.map((tick) =>
      label(model.formatX(tick), { x: toPixel(x, tick), y: bottom + 18, "text-anchor": "middle" }),
    ),
    label(AXIS_LABELS[model.axis], { x: (left + right) / 2, y: height - 4, "text-anchor": "middle" }),
    ...(model.valueLabel === undefined
      ? []
      : [
          label(model.valueLabel, {
            transform: `translate(12 ${(bottom + top) / 2}) rotate(-90)`,
            "text-anchor": "middle",
          }),
        ]),
  ].join("");
}

/** A line, with its values as dots where it has few. */
function lineOf(line: ShownLine, scene: PlotScene, colour: Colours): string {
  const { x, y, content } = scene;
  const stroke = colour(line.colour);
  const dots = line.points
    ? line.values.map((value, at) => {
        const [cx, cy] = [toPixel(x, content.x[at] ?? Number.NaN), toPixel(y, value ?? Number.NaN)];
        return Number.isFinite(cx + cy) ? element("circle", { cx, cy, r: 3, fill: stroke }) : "";
      })
    : [];
  const path = element("path", {
    d: linePath(content.x, line.values, scene),
    fill: "none",
    stroke,
    "stroke-width": line.width,
    "stroke-linejoin": "round",
    "stroke-dasharray": line.dash?.join(" "),
    opacity: line.opacity,
  });
  const raw = line.opacity < 1 ? " plot-line--raw" : "";
  return element("g", { class: `plot-line plot-line--${plotSlug(line.label)}${raw}` }, path + dots.join(""));
}

/** Says how many dots the axis cuts off. */
function cutOf(scene: PlotScene, colour: Colours): string {
  const [bottom, top] = scene.y.pixels;
  const { above, below } = cutDots(scene);
  const note = (text: string, y: number): string =>
    element(
      "text",
      { x: scene.x.pixels[1] - 4, y, "text-anchor": "end", "font-size": 11, fill: colour("ink-3") },
      escaped(text),
    );
  return [
    above === "" ? "" : note(`▲ ${above} above`, top + 12),
    below === "" ? "" : note(`▼ ${below} below`, bottom - 6),
  ].join("");
}

/** The values that a chart marks by horizontal lines, and its positions, by vertical ones. */
function marksOf({ x, y, model }: PlotScene, colour: Colours): string {
  const [left, right] = x.pixels;
  const [bottom, top] = y.pixels;
  const bounds = (model.bounds ?? []).map((bound) => {
    const [y1, y2] = [toPixel(y, bound), toPixel(y, bound)];
    const stroke = colour(model.boundColour ?? "ink-3");
    return element("line", {
      x1: left,
      x2: right,
      y1,
      y2,
      stroke,
      "stroke-width": 1.5,
      "stroke-dasharray": "8 4",
    });
  });
  const marks = (model.marks ?? []).map(({ x: at, label, colour: name = "accent" }) => {
    const [place, own] = [toPixel(x, at), colour(name)];
    const line = { x1: place, x2: place, y1: top, y2: bottom, stroke: own, "stroke-dasharray": "2 2" };
    const dot = element("circle", { cx: place, cy: top + 4, r: 3.5, fill: own });
    return element("g", {}, element("title", {}, escaped(label)) + element("line", line) + dot);
  });
  return [...bounds, ...marks].join("");
}

/**
 * Axes, bands, strands, lines and marks of a chart, as the inside of an SVG element.
 *
 * @param clip an id for the area within the axes
 * @param dots what lies in this area below the strands
 */
export function plotSurface(scene: PlotScene, colour: Colours, clip: string, dots = ""): string {
  const { x, y, content } = scene;
  const [left, right] = x.pixels;
  const [bottom, top] = y.pixels;
  const bands = content.bands.flatMap(({ between: [upper, lower], colour: name, opacity }) => {
    const [high, low] = [content.lines[upper], content.lines[lower]];
    return high === undefined || low === undefined
      ? []
      : [element("path", { d: bandPath(high, low, scene), fill: colour(name), opacity, class: "plot-band" })];
  });
  const strands = content.strands.map((strand) =>
    element("path", {
      class: `plot-strand plot-strand--${strand.name}`,
      d: strandPath(strand, scene),
      fill: "none",
      stroke: colour(strand.colour),
      "stroke-width": strand.width,
      opacity: strand.opacity,
    }),
  );
  const lines = content.lines.filter(({ width }) => width > 0).map((line) => lineOf(line, scene, colour));
  const area = { x: left, y: top, width: Math.max(0, right - left), height: Math.max(0, bottom - top) };
  return [
    element("clipPath", { id: clip }, element("rect", area)),
    axesOf(scene, colour),
    element(
      "g",
      { "clip-path": `url(#${clip})` },
      [
        ...bands,
        dots,
        strands.length > 0 ? element("g", { class: "plot-strands" }, strands.join("")) : "",
        ...lines,
        marksOf(scene, colour),
        cutOf(scene, colour),
      ].join(""),
    ),
  ].join("");
}

/** A chart as a whole SVG document, with its title, its legend and the colours of the page. */
export function plotDrawing(
  { title, scene, legend }: Drawing,
  theme: PlotTheme,
  background: string,
): { readonly svg: string; readonly width: number; readonly height: number } {
  const { width, height } = scene;
  const { colour, members } = theme;
  const dots = shownDots(scene).map((dot) =>
    element("circle", {
      cx: dot.x,
      cy: dot.y,
      r: dot.radius,
      fill: members[dot.colour] ?? colour.accent,
      opacity: DOT_OPACITY,
    }),
  );
  const surface = plotSurface(scene, (name) => colour[name], "area", dots.join(""));
  const words = legendOf(legend, scene, theme, HEAD + height + LEGEND.row / 2);
  const whole = HEAD + height + words.height;
  const svg = element(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      width,
      height: whole,
      viewBox: `0 0 ${width} ${whole}`,
      "font-family": theme.font.replace(/^\S+ /, ""),
      "font-size": 12,
    },
    [
      element("rect", { width, height: whole, fill: background }),
      element(
        "text",
        { x: MARGIN.left, y: 20, fill: colour.ink, "font-size": 14, "font-weight": 650 },
        escaped(title),
      ),
      element("g", { transform: `translate(0 ${HEAD})` }, surface),
      words.svg,
    ].join(""),
  );
  return { svg, width, height: whole };
}
