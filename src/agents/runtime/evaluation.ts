/** Fitness from the returns of an evaluation. */
import type { Space } from "../../rl/spaces.ts";
import type { Episodes, Slice, Turn } from "./turn.ts";

/** Mean returns of an evaluation. */
export interface Evaluation {
  /** Ranks the members. For several agents: the sum or the mean of their fitnesses. */
  readonly fitness: number;
  /** For several agents: the fitness of each, by id. */
  readonly agent_fitness?: Readonly<Record<string, number>>;
  readonly episodes: Episodes;
}

/** Episodes of one pass, one per lane. */
export interface EvaluationPass {
  /** Return of every lane; for several agents, of each agent in order within each lane. */
  readonly returns: ArrayLike<number>;
  /** Environment steps of every lane. */
  readonly lengths: ArrayLike<number>;
}

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

/** @param observed Observation space of the member. */
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

/** The sum or the mean of the returns of each lane's agents. */
const sums = (returns: readonly number[], agents: number, isSum: boolean): number[] =>
  Array.from({ length: returns.length / agents }, (_, lane) => {
    const sum = returns.slice(lane * agents, (lane + 1) * agents).reduce((a, b) => a + b, 0);
    return isSum ? sum : sum / agents;
  });

/** Factor that scales the summed training returns of a lane's agents in the same way as fitness. */
export const scoreShare = (observed: Space, { sum_scores = true }: Pick<Turn, "sum_scores">): number =>
  observed.kind === "Agents" && !sum_scores ? 1 / observed.ids.length : 1;

/**
 * Returns a value at once, or a promise's result once the driver of the slices has awaited it.
 * @throws The reason that the promise rejects with.
 */
export function* settled<T>(given: T | Promise<T>): Generator<Slice, T> {
  if (!(given instanceof Promise)) return given;
  let outcome: { readonly value: T } | { readonly error: unknown } | null = null;
  const awaiting = given.then(
    (value) => {
      outcome = { value };
    },
    (error: unknown) => {
      outcome = { error };
    },
  );
  yield { env_steps: 0, learn_steps: 0, awaiting };
  return valueOf(outcome);
}

/** A separate function, because in `settled` the compiler would still narrow `outcome` to null. */
function valueOf<T>(outcome: { readonly value: T } | { readonly error: unknown } | null): T {
  if (outcome === null) throw new Error("settled: the driver went on without waiting for slice.awaiting");
  if ("error" in outcome) throw outcome.error;
  return outcome.value;
}
