import { useMemo, useState } from "react";
import { Column } from "../../../../tracking/clients.ts";
import { QUARTILES, type Quartiles, quartiles } from "../../../../tracking/history.ts";
import type { HistoryColumns } from "../../../../workers/protocol.ts";
import {
  factsAt,
  type PlotBand,
  type PlotDots,
  type PlotLine,
  type PlotModel,
  type PlotPoint,
  type PlotStrand,
} from "../../../components/plot/PlotModel.ts";
import { type PlotColour, slotToken } from "../../../components/plot/plotTheme.ts";
import type { ChartAxis } from "../../../routes/route.ts";
import { lastCellOf, lineOfDescent, positionsOf, valuedBefore } from "../../../series/historyCells.ts";
import type { LineageColours } from "../../../series/lineageColours.ts";
import { formatPosition } from "../../../series/scales.ts";
import { deliveredAsOf, type LineageFate, LineageGraph, lineageFate } from "../descent/LineageGraph.ts";
import type { ShownHistory } from "../history/WithHistory.tsx";
import { smoothedByDescent } from "./descentSmoothing.ts";

const COLOURS = 8;

/** Pieces of lines: x0, y0, x1, y1 of each. */
interface DescentSegments {
  /** Lineages that ended before the shown generation, and everything after it. */
  readonly ended: readonly number[];
  /** Lineages that survive in the shown generation, by colour of descent. */
  readonly living: readonly (readonly number[])[];
}

/**
 * Lines from every member to its predecessor: itself or its parent, not the member in the same slot.
 * @param positions by row
 */
export function descentSegments(
  { columns, graph, fate, colours }: Descendants,
  values: Float64Array,
  positions: ArrayLike<number>,
): DescentSegments {
  const { population, index } = columns;
  const ended: number[] = [];
  const living = Array.from({ length: COLOURS }, (): number[] => []);
  for (let cell = population; cell < columns.generations * population; cell += 1) {
    const value = values[cell] ?? Number.NaN;
    if (!Number.isFinite(value)) continue;
    const before = valuedBefore(graph, values, cell);
    if (before < 0) continue;
    const to = fate.survives[cell] === 1 ? living[colours.of(index[cell] ?? -1)] : ended;
    const [x0, x1] = [before, cell].map((at) => positions[Math.floor(at / population)] ?? Number.NaN);
    to?.push(x0 ?? Number.NaN, values[before] ?? Number.NaN, x1 ?? Number.NaN, value);
  }
  return { ended, living };
}

/** The line of one agent, back to its first ancestor. @param positions by row */
export function tracedLine(
  { columns, graph }: Descendants,
  values: Float64Array,
  cell: number,
  positions: ArrayLike<number>,
): PlotPoint[] {
  const points: PlotPoint[] = [];
  for (let at = cell; at >= 0; at = graph.before(at)) {
    const value = values[at] ?? Number.NaN;
    if (Number.isFinite(value))
      points.push([positions[Math.floor(at / columns.population)] ?? Number.NaN, value]);
  }
  return points;
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
/** Up to this many evaluated generations, their members are dots. */
const MOST_ROWS = 60;

/** Data common to all charts of members. */
export interface Descendants {
  readonly columns: HistoryColumns;
  readonly graph: LineageGraph;
  readonly fate: LineageFate;
  readonly colours: LineageColours;
  /** By row, the cell of the selected agent or of its ancestor; null if no agent is selected. */
  readonly selected: Int32Array | null;
}

type Shape = Pick<PlotModel, "log" | "bounds" | "marks" | "format" | "valueLabel"> & {
  /** Defaults to the generations. */
  readonly axis?: ChartAxis;
  /** Lines besides the spread and the elite's. */
  readonly more?: readonly PlotLine[];
};

/** Names of the entries of a legend that hide parts of a spread, and lines of descent. */
export const GROUPS = {
  range: "lowest to highest",
  middle: "middle half",
  living: "surviving lineages",
  ended: "ended lineages",
} as const;

/** The filled areas between the lines of a spread, if these are a chart's first lines. */
export const SPREAD_BANDS: readonly PlotBand[] = [
  { between: [4, 0], colour: "accent", opacity: 0.14, group: GROUPS.range },
  { between: [3, 1], colour: "accent", opacity: 0.22, group: GROUPS.middle },
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
    ...(part === "median"
      ? median
      : {
          colour: "accent",
          width: 0,
          group: part === "min" || part === "max" ? GROUPS.range : GROUPS.middle,
        }),
    read: part !== "q1" && part !== "q3",
  }));

/** Whether there are too many lines to draw one per member. */
export const isCrowded = ({ generations, population }: HistoryColumns): boolean =>
  generations >= MANY_GENERATIONS || population >= MANY_MEMBERS;

/** The lines of descent in two styles: of lineages that ended, thin and grey, and of others in their colours. */
function strandsOf({ ended, living }: DescentSegments, faint: boolean): PlotStrand[] {
  return [
    {
      name: faint ? "raw" : "ended",
      colour: "ink-3",
      width: 1,
      opacity: faint ? 0.15 : 0.35,
      segments: ended,
      group: GROUPS.ended,
    },
    ...living.map(
      (segments, colour): PlotStrand => ({
        name: faint ? "raw" : "living",
        colour: slotToken(colour),
        width: faint ? 1 : 1.25,
        opacity: faint ? 0.2 : 0.7,
        segments,
        group: GROUPS.living,
      }),
    ),
  ];
}

/** The members of each generation in a chart, if they are few enough to have a line each. */
function membersOf(
  all: Descendants,
  values: Float64Array,
  positions: ArrayLike<number>,
): PlotModel["members"] {
  const { columns, fate, colours } = all;
  const { population, index } = columns;
  return {
    near: (row, away) => {
      let [nearest, least]: [number | null, number] = [null, Number.POSITIVE_INFINITY];
      for (let cell = row * population; cell < (row + 1) * population; cell += 1) {
        const distance = away(values[cell] ?? Number.NaN);
        if (distance < least) [nearest, least] = [index[cell] ?? null, distance];
      }
      return nearest;
    },
    trace: (member) => {
      const cell = lastCellOf(columns, member, fate.row);
      return {
        colour: slotToken(colours.of(member)),
        points: cell === null ? [] : tracedLine(all, values, cell, positions),
      };
    },
  };
}

/** Maximum number of members beside the crosshair. */
const MOST_FACTS = 8;

/** The members of a generation in the order of their values, before the other values of a chart. */
export function memberFacts(
  { columns: { population, index }, colours }: Descendants,
  values: Float64Array,
  row: number,
  format: (value: number) => string,
): { readonly label: string; readonly value: string; readonly colour: PlotColour }[] {
  return Array.from({ length: population }, (_, slot) => row * population + slot)
    .map((cell) => ({ member: index[cell] ?? -1, value: values[cell] ?? Number.NaN }))
    .filter(({ value }) => Number.isFinite(value))
    .sort((a, b) => b.value - a.value)
    .slice(0, MOST_FACTS)
    .map(({ member, value }) => ({
      label: `#${member}`,
      value: format(value),
      colour: slotToken(colours.of(member)),
    }));
}

/**
 * A chart of one value of all members: lines that connect members to their parents, or the spread if crowded.
 * The elite's line of descent is drawn on top.
 * @param values [generations, population]
 */
export function descentModel(
  all: Descendants,
  values: Float64Array,
  spread: RowSpread,
  { axis = "generation", more = [], ...shape }: Shape,
): PlotModel {
  const { columns, fate, selected, graph } = all;
  const crowded = isCrowded(columns);
  spread.catchUp(values, columns.population);
  const positions = positionsOf(columns, axis);
  const lines: readonly PlotLine[] = [
    ...spreadLines((part) => spread.part(part), { colour: "accent", width: crowded ? 1.5 : 0 }),
    ...more,
    { label: "elite", values: lineOfDescent(values, fate.elite), colour: "elite", width: 2.5 },
    ...(selected === null
      ? []
      : [
          {
            label: "selected",
            values: lineOfDescent(values, selected),
            colour: "ink",
            width: 2,
          } as const,
        ]),
  ];
  const model: PlotModel = {
    ...shape,
    axis,
    x: Array.from(positions),
    // Language models are not evaluated in every generation.
    joined: true,
    dotted: true,
    lines,
    bands: crowded ? SPREAD_BANDS : [],
    members: membersOf(all, values, positions),
    place: (row) => {
      const position = formatPosition[axis](positions[row] ?? Number.NaN);
      const generation = `generation ${columns.generation[row]}`;
      return axis === "generation"
        ? generation
        : `${generation} · ${position}${axis === "steps" ? " steps" : ""}`;
    },
    formatX: formatPosition[axis],
  };
  if (crowded) return model;
  return {
    ...model,
    strands: (smoothing) =>
      smoothing === 0
        ? strandsOf(descentSegments(all, values, positions), false)
        : [
            ...strandsOf(descentSegments(all, values, positions), true),
            ...strandsOf(descentSegments(all, smoothedByDescent(values, graph, smoothing), positions), false),
          ],
    dots: evaluationDots(all, values, positions),
    facts: (row) => [
      ...memberFacts(all, values, row, shape.format),
      ...factsAt(model, row).filter(({ label }) => label === "median" || label === "best so far"),
    ],
  };
}

/** A dot for each member where lines alone would hide the values: a single generation, or few evaluations. */
function evaluationDots(
  { columns, colours }: Descendants,
  values: Float64Array,
  positions: ArrayLike<number>,
): readonly PlotDots[] {
  const { population, index } = columns;
  const cells = Array.from(values.keys()).filter((cell) => Number.isFinite(values[cell]));
  const rows = new Set(cells.map((cell) => Math.floor(cell / population)));
  if (rows.size !== 1 && (rows.size === columns.generations || rows.size > MOST_ROWS)) return [];
  return [
    {
      label: "member",
      x: cells.map((cell) => positions[Math.floor(cell / population)] ?? Number.NaN),
      y: cells.map((cell) => values[cell] ?? Number.NaN),
      colours: cells.map((cell) => colours.of(index[cell] ?? -1)),
      radius: 2.5,
      group: GROUPS.living,
    },
  ];
}

/**
 * The lines of descent in a history, seen from the shown generation.
 * @param member index of the selected agent
 */
export function useDescendants(
  { columns, history, row, champion }: ShownHistory,
  member: number | null,
): Descendants {
  const [graph] = useState(() => new LineageGraph());
  return useMemo(() => {
    graph.catchUp(columns);
    const chosen = member === null ? null : lastCellOf(columns, member, row);
    return {
      columns,
      graph,
      fate: lineageFate(graph, columns, row, deliveredAsOf(columns, row, champion)),
      colours: history.colours,
      selected: chosen === null ? null : ancestorsOf(graph, chosen),
    };
  }, [graph, columns, history, row, champion, member]);
}

/** By row, the cell of an agent or of its ancestor; -1 for rows without one. */
function ancestorsOf(graph: LineageGraph, cell: number): Int32Array {
  const cells = new Int32Array(graph.generations).fill(-1);
  for (let at = cell; at >= 0; at = graph.before(at)) cells[Math.floor(at / graph.population)] = at;
  return cells;
}
