import type { Quartiles } from "../../../../tracking/history.ts";
import type { PlotLine, PlotModel } from "../../../components/plot/PlotModel.ts";
import { formatScore } from "../../../lib/format.ts";
import { formatPosition } from "../../../series/scales.ts";
import { SPREAD_BANDS, spreadLines } from "../charts/descentModel.ts";
import type { FitnessModel, FitnessRow } from "./fitnessModel.ts";

type Line = Pick<PlotLine, "label" | "colour" | "width"> & {
  readonly of: (row: FitnessRow) => number | null;
  readonly dash?: readonly number[];
  readonly quiet?: boolean;
};

const SPREAD: Readonly<Record<keyof Quartiles, (row: FitnessRow) => number | null>> = {
  min: ({ range }) => range[0],
  q1: ({ middle }) => middle[0],
  median: ({ median }) => median,
  q3: ({ middle }) => middle[1],
  max: ({ range }) => range[1],
};
const LINES: readonly Line[] = [
  { label: "best so far", colour: "ink", width: 1.5, of: ({ best }) => best, dash: [2, 3] },
  { label: "elite", colour: "elite", width: 2.5, of: ({ elite }) => elite },
];
const RAW: readonly Line[] = [
  {
    label: "median, raw",
    colour: "line-strong",
    width: 1,
    of: ({ raw }) => raw?.median ?? null,
    quiet: true,
  },
  { label: "elite, raw", colour: "line-strong", width: 1, of: ({ raw }) => raw?.elite ?? null, quiet: true },
];
const SELECTED: Line = { label: "selected", colour: "ink", width: 2, of: ({ selected }) => selected };

/** Builds the model of the canvas chart for a long run. */
export function longModel(model: FitnessModel): PlotModel {
  const { rows, axis, domain, target, smooth, all, agents, positions } = model;
  const { row } = all.fate;
  const lines: readonly Line[] = [
    ...LINES,
    ...(smooth ? RAW : []),
    ...(all.selected === null ? [] : [SELECTED]),
    ...agents.map(
      (label, agent): Line => ({
        label,
        colour: "ink-2",
        width: 1.25,
        of: (row) => row.agents[agent] ?? null,
        dash: [2 + 2 * agent, 3],
      }),
    ),
  ];
  return {
    x: rows.map(({ x }) => x),
    byGeneration: axis === "generation",
    lines: [
      ...spreadLines((part) => rows.map(SPREAD[part]), { colour: "accent", width: 1.5 }),
      ...lines.map(({ of, quiet = false, ...line }) => ({ ...line, values: rows.map(of), read: !quiet })),
    ],
    bands: SPREAD_BANDS,
    log: false,
    range: [domain.ticks[0] ?? 0, domain.ticks.at(-1) ?? 1],
    bounds: target === null ? [] : [target],
    marks:
      row < all.columns.generations - 1
        ? [{ x: positions[row] ?? 0, label: `generation ${all.columns.generation[row]}` }]
        : [],
    under: null,
    format: formatScore,
    formatX: formatPosition[axis],
  };
}
