/** Steps per member and generation with which a population of a given shape takes a task's total steps. */
import type { EvolutionTask } from "./tasks.ts";

/** A population that shrinks: after every `rung` generations, one member of `factor` continues. */
export interface Halving {
  readonly factor: number;
  /** Generations between two cuts; null for cuts that spread evenly, over the first half if `followed`. */
  readonly rung: number | null;
  readonly smallest: number;
  /** Whether another strategy follows the last cut. */
  readonly followed?: boolean;
}

export interface Rhythm {
  /** Steps of each member in a generation. */
  readonly evo_steps: number;
  readonly generations: number;
  /** Generations between two cuts of a population that shrinks; null for others. */
  readonly rung: number | null;
  /** Steps over all members and generations. */
  readonly total: number;
}

/** Members that train in a generation, 0-based. */
export function membersIn(generation: number, population: number, halving: Halving | null): number {
  if (!halving) return population;
  const cuts = Math.floor(generation / (halving.rung ?? 1));
  let members = population;
  for (let cut = 0; cut < cuts; cut++)
    members = Math.max(halving.smallest, Math.ceil(members / halving.factor));
  return members;
}

/** Most by which a run's steps differ from the budget, as a part of it. */
export const BUDGET_ERROR = 0.05;

/** Generations of a run are a multiple of this number, so that cuts spread evenly. */
export function rungsOf(
  population: number,
  { factor, smallest, followed = false }: Omit<Halving, "rung">,
): number {
  let cuts = 0;
  for (let members = population; members > smallest; members = Math.ceil(members / factor)) cuts++;
  return followed ? 2 * cuts : cuts + 1;
}

/**
 * The rhythm that comes closest to the task's budget; of several, the one closest to its number of generations.
 * Generations are multiples of the task's quantum and at least two thirds of, at most one and a half times, that
 * number.
 *
 * @throws RangeError when the budget is missed by more than a twentieth.
 */
export function rhythmOf(
  {
    name,
    budget,
    quantum,
    generations: wanted,
  }: Pick<EvolutionTask, "name" | "budget" | "quantum" | "generations">,
  population: number,
  halving: Halving | null = null,
): Rhythm {
  const rungs = halving?.rung === null ? rungsOf(population, halving) : null;
  let best: Rhythm | null = null;
  const badness = ({ total, generations }: Rhythm): number =>
    Math.abs(total - budget) / budget + 1e-3 * Math.abs(generations / wanted - 1);
  for (let generations = Math.ceil((wanted * 2) / 3); generations <= wanted * 1.5; generations++) {
    if (rungs !== null && generations % rungs !== 0) continue;
    const rung = rungs === null ? (halving?.rung ?? null) : generations / rungs;
    const shape = halving && { ...halving, rung };
    const turns = Array.from({ length: generations }, (_, g) => membersIn(g, population, shape)).reduce(
      (a, b) => a + b,
      0,
    );
    const evo_steps = Math.max(1, Math.round(budget / turns / quantum)) * quantum;
    const rhythm = { evo_steps, generations, rung, total: evo_steps * turns };
    if (!best || badness(rhythm) < badness(best)) best = rhythm;
  }
  if (best && Math.abs(best.total - budget) <= budget * BUDGET_ERROR) return best;
  const found = best ? `${best.total} steps come closest` : "no number of generations has equal rungs";
  throw new RangeError(`${name}: a population of ${population} cannot take ${budget} steps: ${found}`);
}
