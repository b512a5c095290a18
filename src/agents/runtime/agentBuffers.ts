/** Conversion between an agent's state and the contents of its programs' buffers. */
import { fanFor, hostKey, momentName } from "../../kernels/functions.ts";
import { type Algorithm, hyperparameterName, LEARNED, parameterName } from "../../rl/contract.ts";
import type { Tensors } from "../../rl/networks.ts";
import {
  DELAY_LEFT,
  LEARNED_DELAYED,
  METRIC_COUNTERS,
  type MetricCounter,
  metricName,
  ownValueName,
  PRIORITY_SCALARS,
  PRIORITY_TREE,
  RETURNS_UPDATED,
  restNames,
  type StatisticsOf,
  scheduled,
  scheduledMetric,
  statisticsName,
  summedMetrics,
} from "../../rl/programs.ts";
import { finalField } from "../../specs/algorithms.ts";
import type { Priorities, TurnPriorities } from "../buffers/priorities.ts";
import {
  type AgentState,
  mapStatistics,
  type NormalizationState,
  type OptimizerState,
  type RunningStatistics,
} from "../member/agentState.ts";
import { algorithmOf } from "../member/registry.ts";

/** Contents by buffer name. Programs need not declare all of these buffers. */
export type Contents = ReadonlyMap<string, ArrayLike<number>>;

/** Adam's beta powers after `steps` steps, in the f32 arithmetic of the program. */
function betaPower(beta: number, steps: number): number {
  const factor = Math.fround(beta);
  let power = 1;
  for (let i = 0; i < steps; i++) {
    const next = Math.fround(power * factor);
    // Stops at 0, or at a number so small that the product rounds to itself.
    if (next === power) break;
    power = next;
  }
  return power;
}

const delayedOf = (algorithm: Algorithm) => (algorithm.kind === "off_policy" ? algorithm.delayed : undefined);

/** Learning steps over the agent's lifetime: the largest step count of its optimisers. */
const learningSteps = (agent: AgentState, algorithm: Algorithm): number =>
  Math.max(0, ...Object.keys(algorithm.optimizers).map((name) => agent.optimizers[name]?.step ?? 0));

/** Networks, parameters, moments and hyperparameters, with counters and sums at zero. */
export function agentContents(agent: AgentState): Map<string, ArrayLike<number>> {
  const contents = new Map<string, ArrayLike<number>>();
  for (const [network, { tensors }] of Object.entries(agent.networks)) {
    for (const [name, values] of Object.entries(tensors)) contents.set(`${network}.${name}`, values);
  }
  for (const [name, { values }] of Object.entries(agent.parameters ?? {}))
    contents.set(parameterName(name), values);
  for (const [name, { step, first, second }] of Object.entries(agent.optimizers)) {
    for (const [parameter, values] of Object.entries(first))
      contents.set(momentName(name, "first", parameter), values);
    for (const [parameter, values] of Object.entries(second))
      contents.set(momentName(name, "second", parameter), values);
    contents.set(`${name}.beta1_power`, [betaPower(0.9, step)]);
    contents.set(`${name}.beta2_power`, [betaPower(0.999, step)]);
  }
  for (const [name, value] of Object.entries(agent.hyperparameters)) {
    if (typeof value === "number") contents.set(hyperparameterName(name), [value]);
  }
  for (const { of, final, names } of scheduled(algorithmOf(agent), agent.hyperparameters)) {
    contents.set(hyperparameterName(finalField(of)), [final]);
    for (const name of names) contents.set(ownValueName(name), [Number(agent.hyperparameters[name])]);
  }
  // `null` means no limit.
  if (agent.hyperparameters.target_kl === null) contents.set(hyperparameterName("target_kl"), [Infinity]);
  for (const name of ["vector_step", "draw", "epoch", ...METRIC_COUNTERS])
    contents.set(`counter.${name}`, [0]);
  const algorithm = algorithmOf(agent);
  for (const metric of summedMetrics(algorithm).keys()) contents.set(metricName(metric), [0]);
  const delayed = delayedOf(algorithm);
  if (delayed) {
    const every = Number(agent.hyperparameters[delayed.every]);
    contents.set(DELAY_LEFT, [every - (learningSteps(agent, algorithm) % every)]);
  }
  contents.set("learn_credit", [agent.learn_credit]);
  if (agent.normalization) {
    contents.set(`counter.${RETURNS_UPDATED}`, [0]);
    mapStatistics(agent.normalization, (values, of, part) => {
      if (part === "count")
        for (const name of [statisticsName(of, "outliers"), ...restNames(of)])
          contents.set(name, new Float32Array(values.length));
      contents.set(statisticsName(of, part), values);
      return values;
    });
  }
  return contents;
}

/** The random key of the programs that run next. */
export function keyContents(...parts: readonly number[]): Contents {
  const [a, b] = hostKey(...parts);
  return new Map([
    ["key.0", [a]],
    ["key.1", [b]],
  ]);
}

/** Reads a buffer; undefined if the programs have no buffer of that name. */
export type ReadBuffer = (name: string) => ArrayLike<number> | undefined;

/** Learning steps since the contents were written. */
export const learnedIn = (read: ReadBuffer): number => countIn(read, LEARNED);

const countIn = (read: ReadBuffer, counter: MetricCounter): number => read(`counter.${counter}`)?.[0] ?? 0;

const parametersFrom = (
  before: NonNullable<AgentState["parameters"]>,
  read: ReadBuffer,
): NonNullable<AgentState["parameters"]> =>
  Object.fromEntries(
    Object.entries(before).map(([name, { shape, values }]) => [
      name,
      { shape, values: (read(parameterName(name)) as Float32Array | undefined) ?? values },
    ]),
  );

function normalizationIn(before: NormalizationState, read: ReadBuffer): NormalizationState {
  const values = (of: StatisticsOf, part: keyof RunningStatistics) =>
    read(statisticsName(of, part)) as Float32Array | undefined;
  const { observations, rewards } = before;
  const counted = (all: RunningStatistics, of: StatisticsOf): RunningStatistics => {
    const outliers = values(of, "outliers");
    return outliers?.some((count) => count > 0) ? { ...all, outliers } : all;
  };
  return mapStatistics(
    {
      ...before,
      ...(observations && { observations: counted(observations, "observations") }),
      ...(rewards && { rewards: counted(rewards, "rewards") }),
    },
    (old, of, part) => values(of, part) ?? old,
  );
}

/** The agent's current state, read from buffers that were loaded with `agent`. */
export function agentFrom(agent: AgentState, read: ReadBuffer): AgentState {
  const readAll = (tensors: Tensors, nameOf: (key: string) => string): Tensors =>
    Object.fromEntries(
      Object.entries(tensors).map(([key, before]) => [
        key,
        (read(nameOf(key)) as Float32Array | undefined) ?? before,
      ]),
    );
  const learned = learnedIn(read);
  const delayed = delayedOf(algorithmOf(agent));
  const optimizers = Object.entries(agent.optimizers).map(([name, o]): [string, OptimizerState] => [
    name,
    {
      ...o,
      step: o.step + (delayed?.optimizers.includes(name) ? countIn(read, LEARNED_DELAYED) : learned),
      first: readAll(o.first, (key) => momentName(name, "first", key)),
      second: readAll(o.second, (key) => momentName(name, "second", key)),
    },
  ]);
  const networks = Object.entries(agent.networks).map(([network, { data, tensors }]) => [
    network,
    { data, tensors: readAll(tensors, (key) => `${network}.${key}`) },
  ]);
  const { parameters, normalization } = agent;
  return {
    ...agent,
    networks: Object.fromEntries(networks),
    ...(parameters ? { parameters: parametersFrom(parameters, read) } : {}),
    optimizers: Object.fromEntries(optimizers),
    ...(normalization && {
      normalization: normalizationIn(normalization, read),
    }),
    learn_credit: read("learn_credit")?.[0] ?? agent.learn_credit,
  };
}

/** The sum of a metric's values, and their count. */
export interface MetricSum {
  readonly sum: number;
  readonly count: number;
}

/** The algorithm's metrics over the learning steps since the contents were written. */
export function metricSums(agent: AgentState, read: ReadBuffer): Record<string, MetricSum> {
  return Object.fromEntries(
    [...summedMetrics(algorithmOf(agent))].map(([name, { counter, every }]) => [
      name,
      { sum: read(metricName(name))?.[0] ?? Number.NaN, count: Math.ceil(countIn(read, counter) / every) },
    ]),
  );
}

/** Means of metrics; those without values are left out. */
export const meansOf = (sums: Readonly<Record<string, MetricSum>>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(sums).flatMap(([name, { sum, count }]) => (count === 0 ? [] : [[name, sum / count]])),
  );

/**
 * Means of the algorithm's metrics over the learning steps since the contents were written, and the scheduled values in
 * the last of them.
 */
export function metricsIn(agent: AgentState, read: ReadBuffer): Record<string, number> {
  const metrics = meansOf(metricSums(agent, read));
  const schedules = learnedIn(read) > 0 ? scheduled(algorithmOf(agent), agent.hyperparameters) : [];
  for (const name of schedules.flatMap(({ names }) => names))
    metrics[scheduledMetric(name)] = read(hyperparameterName(name))?.[0] ?? Number.NaN;
  return metrics;
}

/** The tree's leaves and the scalars, as a member's programs read them. */
export function priorityContents(priorities: TurnPriorities): Contents {
  const fan = fanFor(priorities.leaves.length);
  const leaf3 = new Float32Array(fan * fan * fan);
  leaf3.set(priorities.leaves);
  return new Map<string, ArrayLike<number>>([
    [`${PRIORITY_TREE}.leaf3`, leaf3],
    [PRIORITY_SCALARS.largest, [priorities.largest]],
    [PRIORITY_SCALARS.alpha, [priorities.alpha]],
    [PRIORITY_SCALARS.progress, [priorities.progress]],
    [PRIORITY_SCALARS.progress_step, [priorities.progress_step]],
  ]);
}

/** The priorities after a turn. */
export function prioritiesIn(before: Priorities, read: ReadBuffer): Priorities {
  const leaves = read(`${PRIORITY_TREE}.leaf3`);
  const largest = read(PRIORITY_SCALARS.largest)?.[0];
  if (!leaves || largest === undefined) return before;
  return { leaves: Float32Array.from(leaves).slice(0, before.leaves.length), largest };
}
