import type { ChartAxis } from "../../../routes/route.ts";
import { type Descendants, isCrowded } from "../charts/descentModel.ts";
import { type FitnessDomain, fitnessDomain } from "./fitnessDomain.ts";
import { type FitnessRow, fitnessRows, positionsOf } from "./fitnessRows.ts";
import { SMOOTHINGS, type Smoothing, smoothedByDescent } from "./smoothing.ts";

/** Everything that the fitness chart draws. */
export interface FitnessModel {
  readonly all: Descendants;
  readonly axis: ChartAxis;
  readonly rows: readonly FitnessRow[];
  /** Horizontal positions by row of the history. */
  readonly positions: Float64Array;
  /** Fitnesses as drawn, [generations, population]. */
  readonly shown: Float64Array;
  readonly smooth: boolean;
  /** Whether the spread is drawn instead of one line per member. */
  readonly crowded: boolean;
  readonly domain: FitnessDomain;
  readonly target: number | null;
  /** Ids of the agents in each member; empty if members are single agents. */
  readonly agents: readonly string[];
}

interface Choices {
  readonly axis: ChartAxis;
  readonly smoothing: Smoothing;
  /** Fitness at which the run ends; null for none. */
  readonly target: number | null;
}

/** Builds the model of the fitness chart. */
export function fitnessModel(all: Descendants, { axis, smoothing, target }: Choices): FitnessModel {
  const { columns, graph, fate, selected } = all;
  const weight = SMOOTHINGS[smoothing];
  const shown = weight > 0 ? smoothedByDescent(columns.fitness, graph, weight) : columns.fitness;
  const rows = fitnessRows(columns, axis, { elite: fate.elite, selected, shown, weight });
  const ofAgents = rows.flatMap((row) => row.agents.flatMap((value) => value ?? []));
  return {
    all,
    axis,
    rows,
    positions: positionsOf(columns, axis),
    shown,
    smooth: weight > 0,
    crowded: isCrowded(columns),
    domain: fitnessDomain([...columns.fitness, ...ofAgents], target === null ? [] : [target]),
    target,
    agents: Object.keys(columns.agent_fitness),
  };
}
