/** What an evaluation's returns say of a member. */
import type { Space } from "../spaces/index.ts";
import type { Turn } from "./turn.ts";

/** Mean returns of an evaluation. */
export interface Evaluation {
  /** By which members are ranked; of several agents the sum of theirs, or their mean. */
  readonly fitness: number;
  /** Of each of several agents, by id. */
  readonly agent_fitness?: Readonly<Record<string, number>>;
}

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

/**
 * @param passes Returns of each pass: of every lane, of several agents one after another in each lane.
 * @param observed What the member observes.
 */
export function evaluationOf(
  passes: readonly ArrayLike<number>[],
  observed: Space,
  { sum_scores = true }: Pick<Turn, "sum_scores">,
): Evaluation {
  if (observed.kind !== "Agents")
    return { fitness: mean(passes.map((returns) => mean(Array.from(returns)))) };
  const { ids } = observed;
  const own = (returns: ArrayLike<number>, index: number) =>
    mean(Array.from(returns).filter((_value, i) => i % ids.length === index));
  const fitnesses = ids.map((_id, index) => mean(passes.map((returns) => own(returns, index))));
  const total = fitnesses.reduce((a, b) => a + b, 0);
  return {
    fitness: sum_scores ? total : total / ids.length,
    agent_fitness: Object.fromEntries(ids.map((id, index) => [id, fitnesses[index] as number])),
  };
}

/** What the training returns of a lane's agents, summed, count for: as fitness does. */
export const scoreShare = (observed: Space, { sum_scores = true }: Pick<Turn, "sum_scores">): number =>
  observed.kind === "Agents" && !sum_scores ? 1 / observed.ids.length : 1;
