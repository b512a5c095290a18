/**
 * A generation as one flat row of numbers, which every tracker receives. All tracked
 * metrics are computed here.
 */
import type { GenerationRow } from "./HistoryColumns.ts";
import type { MemberReport } from "./observer.ts";

/** Numbers by key, in the order of {@link metricColumns}; NaN for missing values. */
export type MetricRow = Readonly<Record<string, number>>;

/** The properties of a run that determine the keys of its rows. */
export interface RowShape {
  /** Population size. */
  readonly members: number;
  /** Metrics that the algorithm reports. */
  readonly metrics: readonly string[];
  /** Hyperparameters under mutation. */
  readonly hyperparameters: readonly string[];
  /** Ids of the agents in each member (default: none, for single agents). */
  readonly agents?: readonly string[];
  /** Kinds of mutation that have occurred (default: none). */
  readonly mutations?: readonly string[];
}

/** The key of environment steps of all members. */
export const STEP_KEY = "train/global_step";

/** Mean of the values that are not NaN; NaN if there are none. */
export function meanOf(values: readonly number[]): number {
  const known = values.filter((value) => !Number.isNaN(value));
  const sum = known.reduce((a, b) => a + b, 0);
  if (Number.isFinite(sum)) return sum / known.length;
  // The sum of large values is beyond f64.
  return known.reduce((part, value) => part + value / known.length, 0);
}

const bestOf = (values: readonly number[]): number =>
  values.reduce((best, value) => (value > best || Number.isNaN(best) ? value : best), Number.NaN);

type OfMember = (member: Partial<MemberReport> | undefined, slot: number) => number;

/** Keys of a run in order, each with its value in the report, or NaN without a report. */
function* entries(
  { members: count, metrics, hyperparameters, agents = [], mutations = [] }: RowShape,
  report?: GenerationRow,
): Generator<readonly [key: string, value: number]> {
  const members = Array.from({ length: count }, (_, slot) => report?.members?.[slot]);
  const each = (of: OfMember): number[] => members.map(of);
  const fitness: OfMember = (_, slot) => report?.fitnesses[slot] ?? Number.NaN;
  const score: OfMember = (member) => member?.score ?? Number.NaN;
  const fitnessOf =
    (agent: string): OfMember =>
    (member) =>
      member?.agent_fitness?.[agent] ?? Number.NaN;
  const metricOf =
    (name: string): OfMember =>
    (member) =>
      member?.metrics?.[name] ?? Number.NaN;
  yield [STEP_KEY, report?.global_step ?? Number.NaN];
  // Members take turns on the machine, so each one's rate is an equal share of the total rate.
  yield ["train/steps_per_second", (report?.steps_per_second ?? Number.NaN) / Math.max(1, count)];
  yield ["eval/mean_fitness", meanOf(each(fitness))];
  yield ["eval/best_fitness", bestOf(each(fitness))];
  for (const agent of agents) yield [`eval/mean_fitness/${agent}`, meanOf(each(fitnessOf(agent)))];
  for (const agent of agents) yield [`eval/best_fitness/${agent}`, bestOf(each(fitnessOf(agent)))];
  yield ["train/mean_score", meanOf(each(score))];
  for (const name of metrics) yield [`train/mean_${name}`, meanOf(each(metricOf(name)))];
  for (const [slot, member] of members.entries()) {
    yield [`train/agent_${slot}/local_steps`, member?.steps ?? Number.NaN];
    yield [`eval/agent_${slot}/fitness`, fitness(member, slot)];
    for (const agent of agents) yield [`eval/agent_${slot}/fitness/${agent}`, fitnessOf(agent)(member, slot)];
    yield [`train/agent_${slot}/score`, score(member, slot)];
    for (const name of metrics) yield [`train/agent_${slot}/${name}`, metricOf(name)(member, slot)];
    for (const name of hyperparameters)
      yield [`train/agent_${slot}/${name}`, member?.hyperparameters?.[name] ?? Number.NaN];
  }
  const { evolution } = report ?? {};
  yield ["eval/episodes", evolution?.episodes ?? Number.NaN];
  yield ["eval/total_episodes", evolution?.total_episodes ?? Number.NaN];
  yield ["evolution/ancestors", evolution?.ancestors ?? Number.NaN];
  for (const name of hyperparameters)
    yield [`evolution/spread/${name}`, evolution?.hyperparameters[name]?.spread ?? Number.NaN];
  for (const kind of mutations) {
    const outcome = evolution?.mutations.find((each) => each.kind === kind);
    yield [`evolution/${kind}/number`, outcome?.number ?? 0];
    const [low = Number.NaN, high = Number.NaN] = outcome?.gain_interval ?? [];
    yield [`evolution/${kind}/gain`, outcome?.gain ?? Number.NaN];
    yield [`evolution/${kind}/gain_low`, low];
    yield [`evolution/${kind}/gain_high`, high];
    yield [`evolution/${kind}/gains`, outcome?.gains ?? 0];
    yield [`evolution/${kind}/survival`, outcome?.survival ?? Number.NaN];
  }
}

/** Keys of all rows of a run, in order; known before the first row. */
export const metricColumns = (shape: RowShape): string[] => [...entries(shape)].map(([key]) => key);

/** The run's shape extended by metrics and members that only the report has. */
function widened(shape: RowShape, { members = [], fitnesses, evolution }: GenerationRow): RowShape {
  const metrics = new Set([
    ...shape.metrics,
    ...members.flatMap((member) => Object.keys(member.metrics ?? {})),
  ]);
  const agents = new Set([
    ...(shape.agents ?? []),
    ...members.flatMap((member) => Object.keys(member.agent_fitness ?? {})),
  ]);
  const count = Math.max(shape.members, fitnesses.length);
  const kinds = evolution?.mutations.map(({ kind }) => kind).filter((kind) => kind !== "none") ?? [];
  const mutations = [...new Set([...(shape.mutations ?? []), ...kinds])];
  return { ...shape, members: count, metrics: [...metrics], agents: [...agents], mutations };
}

/** Counts of choices by key, for trackers that can show them; empty for most algorithms. */
export type HistogramRow = Readonly<Record<string, readonly number[]>>;

export const histogramRow = ({ members = [] }: GenerationRow): HistogramRow =>
  Object.fromEntries(
    members.flatMap(({ histograms = {} }, slot) =>
      Object.entries(histograms).map(([name, counts]) => [`train/agent_${slot}/${name}`, counts] as const),
    ),
  );

/** The row of a generation. Metrics and members beyond the run's shape are included. */
export const metricRow = (shape: RowShape, report: GenerationRow): MetricRow =>
  Object.fromEntries(entries(widened(shape, report), report));
