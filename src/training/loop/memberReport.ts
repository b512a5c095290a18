import type { RowShape } from "../../tracking/history.ts";
import type { MemberChange } from "./memberChanges.ts";
import type { MemberReport } from "../../tracking/observer.ts";
import type { Kinds, Workload } from "./Workload.ts";
import type { PreparedRun } from "./WorkloadDefinition.ts";

export interface MemberTaken<K extends Kinds> {
  /** The member at the start of the generation. */
  readonly before: K["agent"];
  /** Null for a member that failed. */
  readonly result: K["result"] | null;
  /** Null if selection has no subpopulations. */
  readonly subpopulation: number | null;
  /** How the member differs from its parent. */
  readonly change: MemberChange;
  /** Wall time of its turn in milliseconds; null if unknown. */
  readonly milliseconds: number | null;
}

/** The report of a member's generation. */
export function memberReport<K extends Kinds>(
  slot: number,
  { before, result, subpopulation, change, milliseconds }: MemberTaken<K>,
  workload: Pick<Workload<K>, "describe">,
): MemberReport {
  const agent = result?.agent ?? before;
  const hyperparameters = Object.entries(agent.hyperparameters).filter(
    (entry): entry is [string, number] => typeof entry[1] === "number",
  );
  return {
    slot,
    index: agent.index,
    parent: agent.parent,
    subpopulation,
    fitness: result?.fitness ?? Number.NaN,
    ...(result?.agent_fitness ? { agent_fitness: result.agent_fitness } : {}),
    steps: agent.steps,
    score: result?.score ?? null,
    mutation: agent.mut,
    hyperparameters: Object.fromEntries(hyperparameters),
    metrics: result?.metrics ?? {},
    ...(result?.histograms ? { histograms: result.histograms } : {}),
    architecture: workload.describe(agent),
    learn_steps: result?.learn_steps ?? 0,
    ...change,
    ...(result?.evaluation ? { evaluation: result.evaluation } : {}),
    ...(milliseconds === null ? {} : { milliseconds }),
  };
}

/** The shape of the rows that a run's trackers write. */
export const rowShapeOf = <K extends Kinds>(
  members: readonly K["agent"][],
  {
    workload,
    hyperparameters = [],
    agents = [],
  }: Pick<PreparedRun<K>, "workload" | "hyperparameters" | "agents">,
): RowShape => ({
  members: members.length,
  metrics: [...new Set(members.flatMap((member) => workload.metrics?.(member) ?? []))],
  hyperparameters,
  agents,
});
