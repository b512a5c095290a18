import type { RowShape } from "../../tracking/history.ts";
import type { Kinds } from "./Workload.ts";
import type { PreparedRun } from "./WorkloadDefinition.ts";

type Prepared<K extends Kinds> = Pick<PreparedRun<K>, "workload" | "hyperparameters" | "agents">;

/** The shape of the rows that a run's trackers write. */
export const rowShapeOf = <K extends Kinds>(
  members: readonly K["agent"][],
  { workload, hyperparameters = [], agents = [] }: Prepared<K>,
): RowShape => ({
  members: members.length,
  metrics: [...new Set(members.flatMap((member) => workload.metrics?.(member) ?? []))],
  hyperparameters,
  agents,
});
