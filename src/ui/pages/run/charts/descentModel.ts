import { useMemo, useState } from "react";
import { Column } from "../../../../tracking/clients.ts";
import { QUARTILES, type Quartiles, quartiles } from "../../../../tracking/history.ts";
import type { HistoryColumns } from "../../../../workers/protocol.ts";
import type { PlotBand, PlotLine, PlotModel, PlotPlace } from "../../../components/plot/PlotModel.ts";
import type { PlotTheme } from "../../../components/plot/plotTheme.ts";
import { strokePath } from "../../../lib/drawing.ts";
import { formatCount } from "../../../lib/format.ts";
import { lastCellOf, lineOfDescent, valuedBefore } from "../../../series/historyCells.ts";
import type { LineageColours } from "../../../series/lineageColours.ts";
import { type LineageFate, LineageGraph, lineageFate } from "../descent/LineageGraph.ts";
import type { ShownHistory } from "../history/WithHistory.tsx";

/** Path data in SVG syntax. */
interface DescentPaths {
  /** Lineages that ended before the shown generation, and everything after it. */
  readonly ended: string;
  /** Lineages that survive in the shown generation, by colour of descent. */
  readonly living: readonly string[];
}

interface Place {
  /** Pixel coordinate of a generation's row, and of a value. */
  readonly x: (row: number) => number;
  readonly y: (value: number) => number;
}

const COLOURS = 8;
const point = (x: number, y: number): string => `${x.toFixed(1)} ${y.toFixed(1)}`;

/** Lines from every member to its predecessor: itself or its parent, not the member in the same slot. */
export function descentPaths(all: Descendants, values: Float64Array, { x, y }: Place): DescentPaths {
  const { columns, graph, fate, colours } = all;
  const { population, index } = columns;
  const ended: string[] = [];
  const living = Array.from({ length: COLOURS }, (): string[] => []);
  for (let cell = population; cell < columns.generations * population; cell += 1) {
    const value = values[cell] ?? Number.NaN;
    if (!Number.isFinite(value)) continue;
    const before = valuedBefore(graph, values, cell);
    if (before < 0) continue;
    const from = point(x(Math.floor(before / population)), y(values[before] ?? Number.NaN));
    const to = point(x(Math.floor(cell / population)), y(value));
    const path = fate.survives[cell] === 1 ? living[colours.of(index[cell] ?? -1)] : ended;
    path?.push(`M${from}L${to}`);
  }
  return { ended: ended.join(""), living: living.map((parts) => parts.join("")) };
}

/** The line of one agent, back to its first ancestor. */
export function lineOf(
  { columns, graph }: Descendants,
  values: Float64Array,
  cell: number,
  { x, y }: Place,
): string {
  const points: string[] = [];
  for (let at = cell; at >= 0; at = graph.before(at)) {
    const value = values[at] ?? Number.NaN;
    if (Number.isFinite(value)) points.push(point(x(Math.floor(at / columns.population)), y(value)));
  }
  return points.length === 0 ? "" : `M${points.join("L")}`;
}

/** Quartiles over the population for each generation of one column, computed once per generation. */
export class RowSpread {
  readonly #columns: Readonly<Record<keyof Quartiles, Column>> = {
    min: new Column(new Float64Array()),
    q1: new Column(new Float64Array()),
    median: new Column(new Float64Array()),
    q3: new Column(new Float64Array()),
    max: new Column(new Float64Array()),
  };

  /** Number of generations processed. */
  get length(): number {
    return this.#columns.median.length;
  }

  /** Processes new generations. @param values [generations, population] */
  catchUp(values: Float64Array, population: number): void {
    const generations = Math.floor(values.length / Math.max(1, population));
    for (let row = this.length; row < generations; row += 1) {
      const spread = quartiles(values.subarray(row * population, (row + 1) * population));
      for (const part of QUARTILES) this.#columns[part].push(spread[part]);
    }
  }

  /** One quantile for all generations; null for a generation without values. */
  part(name: keyof Quartiles): (number | null)[] {
    return numbersOrNull(this.#columns[name].values);
  }
}

/** Values for a chart: those that are not finite become gaps. */
export const numbersOrNull = (values: Iterable<number>): (number | null)[] =>
  Array.from(values, (value) => (Number.isFinite(value) ? value : null));

/** From this many generations or members on, a chart shows the spread instead of one line per member. */
const MANY_GENERATIONS = 200;
const MANY_MEMBERS = 17;

/** Data common to all charts of members. */
export interface Descendants {
  readonly columns: HistoryColumns;
  readonly graph: LineageGraph;
  readonly fate: LineageFate;
  readonly colours: LineageColours;
  /** By row, the cell of the selected agent or of its ancestor; null if no agent is selected. */
  readonly selected: Int32Array | null;
}

type Shape = Pick<PlotModel, "log" | "bounds" | "marks" | "format">;

/** The filled areas between the lines of a spread, if these are a chart's first lines. */
export const SPREAD_BANDS: readonly PlotBand[] = [
  { between: [4, 0], colour: "accent", opacity: 0.14 },
  { between: [3, 1], colour: "accent", opacity: 0.22 },
];

const SPREAD_LABELS = {
  min: "lowest",
  q1: "first quartile",
  median: "median",
  q3: "third quartile",
  max: "highest",
} as const;

/** The lines of a spread: its edges, which have no width, and the median. The readout leaves out the quartiles. */
export const spreadLines = (
  values: (part: keyof Quartiles) => readonly (number | null)[],
  median: Pick<PlotLine, "colour" | "width">,
): PlotLine[] =>
  QUARTILES.map((part) => ({
    label: SPREAD_LABELS[part],
    values: values(part),
    ...(part === "median" ? median : { colour: "accent", width: 0 }),
    read: part !== "q1" && part !== "q3",
  }));

/** Whether there are too many lines to draw one per member. */
export const isCrowded = ({ generations, population }: HistoryColumns): boolean =>
  generations >= MANY_GENERATIONS || population >= MANY_MEMBERS;

/**
 * A chart of one value of all members: lines that connect members to their parents, or the spread if crowded.
 * The elite's line of descent is drawn on top.
 * @param values [generations, population]
 */
export function descentModel(
  all: Descendants,
  values: Float64Array,
  spread: RowSpread,
  shape: Shape,
): PlotModel {
  const { columns, fate, selected } = all;
  const crowded = isCrowded(columns);
  spread.catchUp(values, columns.population);
  return {
    ...shape,
    x: Array.from(columns.generation),
    byGeneration: true,
    // Language models are not evaluated in every generation.
    joined: true,
    dotted: true,
    lines: [
      ...spreadLines((part) => spread.part(part), { colour: "accent", width: crowded ? 1.5 : 0 }),
      { label: "elite", values: lineOfDescent(values, fate.elite), colour: "elite", width: 2.5, read: true },
      ...(selected === null
        ? []
        : [
            {
              label: "selected",
              values: lineOfDescent(values, selected),
              colour: "ink",
              width: 2,
              read: true,
            } as const,
          ]),
    ],
    bands: crowded ? SPREAD_BANDS : [],
    under: crowded ? null : (place, theme) => drawDescent(place, theme, all, values),
    formatX: formatCount,
  };
}

/**
 * Draws lines from every member to its parent: thin and grey for ended lineages, in the lineage's colour for
 * others.
 */
function drawDescent(
  { context, x, y, ratio }: PlotPlace,
  theme: PlotTheme,
  all: Descendants,
  values: Float64Array,
): void {
  const { generation } = all.columns;
  const { ended, living } = descentPaths(all, values, { x: (row) => x(generation[row] ?? 0), y });
  strokePath(context, new Path2D(ended), theme.colour["ink-3"], ratio, 0.35);
  for (const [colour, path] of living.entries())
    strokePath(context, new Path2D(path), theme.members[colour] ?? "", 1.25 * ratio, 0.7);
}

/**
 * The lines of descent in a history, seen from the shown generation.
 * @param member index of the selected agent
 */
export function useDescendants({ columns, history, row }: ShownHistory, member: number | null): Descendants {
  const [graph] = useState(() => new LineageGraph());
  return useMemo(() => {
    graph.catchUp(columns);
    const chosen = member === null ? null : lastCellOf(columns, member, row);
    return {
      columns,
      graph,
      fate: lineageFate(graph, columns, row),
      colours: history.colours,
      selected: chosen === null ? null : ancestorsOf(graph, chosen),
    };
  }, [graph, columns, history, row, member]);
}

/** By row, the cell of an agent or of its ancestor; -1 for rows without one. */
function ancestorsOf(graph: LineageGraph, cell: number): Int32Array {
  const cells = new Int32Array(graph.generations).fill(-1);
  for (let at = cell; at >= 0; at = graph.before(at)) cells[Math.floor(at / graph.population)] = at;
  return cells;
}
