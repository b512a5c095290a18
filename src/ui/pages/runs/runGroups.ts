import type { RunSummary } from "../../../workers/protocol.ts";
import type { RunGroup } from "../../routes/runsQuery.ts";

export interface GroupOfRuns {
  /** Null for the runs without a value. */
  readonly name: string | null;
  readonly runs: readonly RunSummary[];
}

const namesOf = (run: RunSummary, group: RunGroup): readonly (string | null)[] => {
  if (group !== "tag") return [run[group]];
  return run.tags.length === 0 ? [null] : run.tags;
};

/** Groups runs by a property, keeping their order. A run with several tags is in several groups. */
export function groupRuns(runs: readonly RunSummary[], group: RunGroup): readonly GroupOfRuns[] {
  const groups = new Map<string | null, RunSummary[]>();
  for (const run of runs)
    for (const name of namesOf(run, group)) {
      const members = groups.get(name);
      if (members === undefined) groups.set(name, [run]);
      else members.push(run);
    }
  const order = new Intl.Collator("en", { numeric: true }).compare;
  return [...groups]
    .map(([name, members]) => ({ name, runs: members }))
    .sort((a, b) => (a.name === null ? 1 : b.name === null ? -1 : order(a.name, b.name)));
}
