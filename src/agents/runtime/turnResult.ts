/**
 * The end of a turn, common to all devices and to compiled and host environments: fitness from the returns of its
 * evaluation, its result, and checks that weights and returns are finite.
 */
import { DivergedError, mean, withFitness } from "../../evolution/members.ts";
import type { Space } from "../../rl/spaces.ts";
import type { ReplayRows } from "../buffers/replayRows.ts";
import { type AgentState, mapStatistics } from "../member/agentState.ts";
import { algorithmOf } from "../member/registry.ts";
import type { Match } from "./opponents.ts";
import type { Episodes, Turn, TurnResult } from "./turn.ts";

/** Mean returns of an evaluation. */
export interface Evaluation {
  /** Ranks the members. For several agents: the sum or the mean of their fitnesses. */
  readonly fitness: number;
  /** For several agents: the fitness of each, by id. */
  readonly agent_fitness?: Readonly<Record<string, number>>;
  readonly episodes: Episodes;
  /** In a game: the episodes by opponent. */
  readonly matches?: readonly Match[];
  /** With goals: the part of the episodes that reached theirs. */
  readonly success_rate?: number;
}

/** Episodes of one pass, one per lane. */
export interface EvaluationPass {
  /** Return of every lane; for several agents, of each agent in order within each lane. */
  readonly returns: ArrayLike<number>;
  /** Environment steps of every lane. */
  readonly lengths: ArrayLike<number>;
  /** With goals: 1 for lanes whose episode reached its goal. */
  readonly successes?: ArrayLike<number> | undefined;
}

/** Of members that have no environment: their fitness is what the data say. @internal */
export const NO_EVALUATION: Evaluation = { fitness: 0, episodes: { returns: [], lengths: [] } };

/** @param observed Observation space of the member. */
export function evaluationOf(
  passes: readonly EvaluationPass[],
  observed: Space,
  { sum_scores = true }: Pick<Turn, "sum_scores">,
): Evaluation {
  const all = passes.flatMap(({ returns }) => Array.from(returns));
  const lengths = passes.flatMap((pass) => Array.from(pass.lengths));
  const successes = passes.flatMap((pass) => Array.from(pass.successes ?? []));
  if (observed.kind !== "Agents")
    return {
      fitness: mean(passes.map(({ returns }) => mean(Array.from(returns)))),
      episodes: { returns: all, lengths },
      ...(successes.length > 0 && { success_rate: mean(successes) }),
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

const TOO_FAST = "the learning rate is probably too high for this environment";

const diverged = (slot: number, what: string, why = TOO_FAST): DivergedError =>
  new DivergedError(slot, `member ${slot}: ${what} is no longer a finite number; ${why}`);

const isFinite = (values: Float32Array): boolean => values.every((value) => Number.isFinite(value));

/** @throws DivergedError naming the statistic, network or parameter that has numbers that are not finite. */
export function requireFinite(agent: AgentState, slot: number): void {
  // Statistics are of the environment's numbers alone, and weights that learn from them follow.
  if (agent.normalization)
    mapStatistics(agent.normalization, (values, of) => {
      const column = values.findIndex((value) => !Number.isFinite(value));
      if (column >= 0)
        throw diverged(
          slot,
          `running statistic ${column} of ${of}`,
          `the environment gave ${of} that are not`,
        );
      return values;
    });
  const { targets } = algorithmOf(agent);
  for (const [network, { tensors }] of Object.entries(agent.networks)) {
    if (network in targets) continue;
    for (const values of Object.values(tensors)) {
      if (!isFinite(values)) throw diverged(slot, `a weight of network ${network}`);
    }
  }
  for (const [name, { values }] of Object.entries(agent.parameters ?? {}))
    if (!isFinite(values)) throw diverged(slot, `parameter ${name}`);
}

/** @throws DivergedError when the mean return is not finite. */
export function requireFitness(fitness: number, slot: number): number {
  if (!Number.isFinite(fitness)) throw diverged(slot, "the return of its evaluation");
  return fitness;
}

/** @throws DivergedError when no perturbed copy of an evolution strategy has a finite return. */
export function requireReturns(returns: ArrayLike<number>, slot: number): void {
  if (!Array.from(returns).some(Number.isFinite))
    throw diverged(slot, "the return of each of its copies", "the environment gave rewards that are not");
}

/** The transitions that an off-policy turn wrote. */
interface TurnRows {
  readonly written: { readonly rows: Pick<ReplayRows, "action"> };
}

/**
 * How often a member chose each action in a turn, [actions]. Counted from the transitions that the turn wrote
 * to the replay buffer, so no program needs a counter. If the turn was longer than the member's segment, only
 * the transitions still in it are counted.
 *
 * @param env_steps Transitions of the turn; those before were written again.
 * @returns undefined if the algorithm reports no counts.
 * @internal
 */
export function actionCounts(
  agent: Pick<AgentState, "algorithm" | "networks">,
  action_space: Space,
  off_policy: TurnRows | null,
  env_steps = Number.POSITIVE_INFINITY,
): number[] | undefined {
  if (!off_policy || action_space.kind !== "Discrete" || !algorithmOf(agent).countsActions) return undefined;
  const counts = Array<number>(action_space.n).fill(0);
  for (const action of off_policy.written.rows.action.slice(-env_steps)) {
    const choice = action - action_space.start;
    counts[choice] = (counts[choice] ?? 0) + 1;
  }
  return counts;
}

/** A member after its training, before its evaluation. @throws DivergedError when a weight is not finite. */
export function trainedMember(
  before: AgentState,
  after: AgentState,
  { slot }: Pick<Turn, "slot">,
  env_steps: number,
): AgentState {
  const trained = { ...after, steps: before.steps + env_steps };
  requireFinite(trained, slot);
  return trained;
}

/** Episodes of members that only learn: none. */
export const NO_EPISODES: TurnEnd["episodes"] = { finished: 0, total: 0 };

export interface TurnEnd
  extends Pick<TurnResult, "env_steps" | "learn_steps" | "metrics" | "off_policy" | "training" | "lanes"> {
  readonly evaluation: Evaluation;
  /** The result of `trainedMember`. */
  readonly trained: AgentState;
  readonly action_space: Space;
  /** Number of finished training episodes, and the sum of their returns. */
  readonly episodes: { readonly finished: number; readonly total: number };
}

/** Metrics of exploration and the replay buffer, in addition to those of learning. */
function playedMetrics(agent: AgentState, off_policy: TurnResult["off_policy"]): Record<string, number> {
  if (!off_policy) return {};
  const algorithm = algorithmOf(agent);
  const explores = algorithm.spec.epsilon_greedy;
  return { ...(explores && { epsilon: off_policy.epsilon }), replay_fill: off_policy.fill };
}

/** How many values the member's running statistics have not taken as they were; absent if there are none. */
function outlierMetric({ normalization }: AgentState) {
  const all = [normalization?.observations, normalization?.rewards];
  const counts = all.flatMap((of) => [...(of?.outliers ?? [])]);
  return counts.length > 0 && { outliers: counts.reduce((sum, count) => sum + count, 0) };
}

/** The result of a turn that only evaluates a member, which stays as it is. */
export function evaluatedResult(
  agent: AgentState,
  { slot }: Pick<Turn, "slot">,
  { fitness, agent_fitness, episodes, matches }: Evaluation,
): TurnResult {
  return {
    slot,
    agent,
    fitness,
    ...(agent_fitness && { agent_fitness }),
    evaluation: episodes,
    ...(matches && { matches }),
    score: null,
    env_steps: 0,
    learn_steps: 0,
    metrics: {},
    off_policy: null,
  };
}

/** @throws DivergedError when the return of the evaluation is not finite. */
export function turnResult(
  { slot }: Pick<Turn, "slot">,
  { trained, episodes, evaluation, ...rest }: TurnEnd,
): TurnResult {
  const fitness = requireFitness(evaluation.fitness, slot);
  const { agent_fitness } = evaluation;
  const each = agent_fitness ? { agent_fitness } : {};
  const action_dist = actionCounts(trained, rest.action_space, rest.off_policy, rest.env_steps);
  return {
    slot,
    agent: { ...trained, fitness: withFitness(trained.fitness, fitness), ...each },
    fitness,
    ...each,
    evaluation: evaluation.episodes,
    ...(evaluation.matches && { matches: evaluation.matches }),
    score: episodes.finished > 0 ? episodes.total / episodes.finished : null,
    ...(rest.training && { training: rest.training }),
    env_steps: rest.env_steps,
    learn_steps: rest.learn_steps,
    metrics: {
      ...rest.metrics,
      ...playedMetrics(trained, rest.off_policy),
      ...outlierMetric(trained),
      ...(evaluation.success_rate !== undefined && { success_rate: evaluation.success_rate }),
    },
    ...(action_dist && { histograms: { action_dist } }),
    ...(rest.lanes && { lanes: rest.lanes }),
    off_policy: rest.off_policy,
  };
}
