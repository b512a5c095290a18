/** What an evaluation's returns say of a member. */
import type { Space } from "../spaces/index.ts";
import type { Episodes, Turn } from "./turn.ts";

/** Mean returns of an evaluation. */
export interface Evaluation {
  /** By which members are ranked; of several agents the sum of theirs, or their mean. */
  readonly fitness: number;
  /** Of each of several agents, by id. */
  readonly agent_fitness?: Readonly<Record<string, number>>;
  readonly episodes: Episodes;
}

/** Episodes of one pass, one for each lane. */
export interface EvaluationPass {
  /** Of every lane, of several agents one after another in each lane. */
  readonly returns: ArrayLike<number>;
  /** Environment steps. */
  readonly lengths: ArrayLike<number>;
}

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

/** @param observed What the member observes. */
export function evaluationOf(
  passes: readonly EvaluationPass[],
  observed: Space,
  { sum_scores = true }: Pick<Turn, "sum_scores">,
): Evaluation {
  const all = passes.flatMap(({ returns }) => Array.from(returns));
  const lengths = passes.flatMap((pass) => Array.from(pass.lengths));
  if (observed.kind !== "Agents")
    return {
      fitness: mean(passes.map(({ returns }) => mean(Array.from(returns)))),
      episodes: { returns: all, lengths },
    };
  const { ids } = observed;
  const own = (returns: ArrayLike<number>, index: number) =>
    mean(Array.from(returns).filter((_value, i) => i % ids.length === index));
  const fitnesses = ids.map((_id, index) => mean(passes.map(({ returns }) => own(returns, index))));
  const total = fitnesses.reduce((a, b) => a + b, 0);
  return {
    fitness: sum_scores ? total : total / ids.length,
    episodes: { returns: sums(all, ids.length, sum_scores), lengths },
    agent_fitness: Object.fromEntries(ids.map((id, index) => [id, fitnesses[index] as number])),
  };
}

/** Of each lane's agents, the sum of their returns or its mean. */
const sums = (returns: readonly number[], agents: number, isSum: boolean): number[] =>
  Array.from({ length: returns.length / agents }, (_, lane) => {
    const sum = returns.slice(lane * agents, (lane + 1) * agents).reduce((a, b) => a + b, 0);
    return isSum ? sum : sum / agents;
  });

/** What the training returns of a lane's agents, summed, count for: as fitness does. */
export const scoreShare = (observed: Space, { sum_scores = true }: Pick<Turn, "sum_scores">): number =>
  observed.kind === "Agents" && !sum_scores ? 1 / observed.ids.length : 1;
