import type { TrainingEpisode } from "../../../../tracking/observer.ts";
import type { PlotDots } from "../../../components/plot/PlotModel.ts";
import type { ChartAxis } from "../../../routes/route.ts";
import { positionsOf } from "../../../series/historyCells.ts";
import type { Descendants } from "../charts/descentModel.ts";

/** The generation that is being trained. */
export interface LiveTraining {
  readonly episodes: readonly TrainingEpisode[];
  readonly population: number;
  /** Own steps of a member in a generation. */
  readonly evo_steps: number;
  /** Of the population. */
  readonly steps_per_second: number;
}

/** Maximum number of dots; more look the same. */
const MOST = 20_000;
const COLOURS = 8;

/** Name of the dots, in legends. */
export const TRAINING = "episodes of training";

interface Dot {
  readonly x: number;
  readonly y: number;
  readonly colour: number;
}

/** Episodes of past generations: each lies between the boundaries of its generation, by its member's own steps. */
function pastDots({ columns, graph, colours }: Descendants, positions: ArrayLike<number>): Dot[] {
  const { population, index } = columns;
  const { offsets, steps, returns } = columns.training;
  const stride = Math.ceil(returns.length / MOST);
  const dots: Dot[] = [];
  for (let cell = 0; cell + 1 < offsets.length; cell += 1) {
    const row = Math.floor(cell / population);
    const before = graph.before(cell);
    const [start, end] = [before < 0 ? 0 : (columns.steps[before] ?? 0), columns.steps[cell] ?? Number.NaN];
    const [from, to] = [row === 0 ? 0 : (positions[row - 1] ?? 0), positions[row] ?? Number.NaN];
    for (let at = offsets[cell] ?? 0; at < (offsets[cell + 1] ?? 0); at += 1) {
      if (at % stride !== 0) continue;
      const share = Math.max(0, Math.min(1, ((steps[at] ?? 0) - start) / (end - start)));
      dots.push({
        x: from + share * (to - from),
        y: returns[at] ?? Number.NaN,
        colour: colours.of(index[cell] ?? -1),
      });
    }
  }
  return dots;
}

/** Episodes of the generation that is being trained, beyond the last boundary. */
function liveDots(
  { columns, colours }: Descendants,
  { episodes, population, evo_steps, steps_per_second }: LiveTraining,
  positions: ArrayLike<number>,
  axis: ChartAxis,
): Dot[] {
  const last = columns.generations - 1;
  const from = last < 0 ? 0 : (positions[last] ?? 0);
  const cells = Array.from({ length: columns.population }, (_, slot) => last * columns.population + slot);
  const known = new Map(
    last < 0 ? [] : cells.map((cell) => [columns.index[cell] ?? -1, columns.steps[cell] ?? 0] as const),
  );
  const least = Math.min(...known.values());
  const perStep = { steps: population, generation: 1 / evo_steps, time: population / steps_per_second }[axis];
  return episodes.map(({ index, step, return: y }) => {
    // A clone of the last selection has the steps of its parent, which are about those of all.
    const start = known.get(index) ?? (Number.isFinite(least) ? least : 0);
    return {
      x: from + Math.max(0, step - start) * perStep,
      y,
      colour: known.has(index) ? colours.of(index) : index % COLOURS,
    };
  });
}

/** The episodes of training as dots in the colours of their lineages; null if there are none. */
export function trainingDots(all: Descendants, axis: ChartAxis, live: LiveTraining | null): PlotDots | null {
  const positions = positionsOf(all.columns, axis);
  const dots = pastDots(all, positions)
    .concat(live === null ? [] : liveDots(all, live, positions, axis))
    .filter(({ x, y }) => Number.isFinite(x) && Number.isFinite(y));
  if (dots.length === 0) return null;
  return {
    label: "training episode",
    x: dots.map(({ x }) => x),
    y: dots.map(({ y }) => y),
    colours: dots.map(({ colour }) => colour),
    radius: dots.length > 2000 ? 1.25 : 2,
    group: TRAINING,
  };
}
