import { mean } from "../../../evolution/members.ts";
import { type Interval, meanInterval } from "../../../tracking/history.ts";
import type { RunSummary } from "../../../workers/protocol.ts";
import { shownState } from "../../components/runState.tsx";
import type { RunGroup } from "../../routes/runsQuery.ts";

/** Properties that `key:word` searches. */
const PROPERTIES: Readonly<Record<string, (run: RunSummary) => readonly string[]>> = {
  name: ({ name }) => [name],
  state: (run) => [shownState(run), ...(run.unsaved === null ? [] : ["not saved"])],
  algorithm: ({ algorithm }) => [algorithm],
  environment: ({ environment }) => [environment],
  tag: ({ tags }) => tags,
  repeats: ({ group }) => (group === null ? [] : [group]),
};

const textsOf = (run: RunSummary): readonly string[] =>
  Object.values(PROPERTIES).flatMap((texts) => texts(run));

/**
 * Returns a predicate: whether a run has all words of a query anywhere in its name, state, algorithm,
 * environment and tags, or in one of these (`state:finished`). Matching ignores case; a quoted word may
 * contain spaces.
 */
export function runFilter(query: string): (run: RunSummary) => boolean {
  const words = [...query.toLowerCase().matchAll(/(?:(\w+):)?(?:"([^"]*)"|(\S+))/g)].map(
    ([whole, key = "", quoted, plain]) => {
      const property = PROPERTIES[key];
      const word = quoted ?? plain ?? "";
      return property === undefined
        ? { texts: textsOf, word: key === "" ? word : whole }
        : { texts: property, word };
    },
  );
  return (run) =>
    words.every(({ texts, word }) => texts(run).some((text) => text.toLowerCase().includes(word)));
}

interface GroupOfRuns {
  /** Null for the runs without a value. */
  readonly name: string | null;
  readonly runs: readonly RunSummary[];
}

/** The configuration of each run, by id. */
export type Configurations = ReadonlyMap<string, string>;

function namesOf(
  run: RunSummary,
  group: RunGroup,
  configurations: Configurations,
): readonly (string | null)[] {
  if (group === "configuration") return [configurations.get(run.id) ?? null];
  if (group === "repeats") return [run.group];
  if (group !== "tag") return [run[group]];
  return run.tags.length === 0 ? [null] : run.tags;
}

/** Groups runs by a property, keeping their order. A run with several tags is in several groups. */
export function groupRuns(
  runs: readonly RunSummary[],
  group: RunGroup,
  configurations: Configurations = new Map(),
): readonly GroupOfRuns[] {
  const groups = new Map<string | null, RunSummary[]>();
  for (const run of runs)
    for (const name of namesOf(run, group, configurations)) {
      const members = groups.get(name);
      if (members === undefined) groups.set(name, [run]);
      else members.push(run);
    }
  const order = new Intl.Collator("en", { numeric: true }).compare;
  return [...groups]
    .map(([name, members]) => ({ name, runs: members }))
    .sort((a, b) => (a.name === null ? 1 : b.name === null ? -1 : order(a.name, b.name)));
}

/** What the finished runs of a group reached. */
export interface GroupResult {
  readonly n: number;
  /** Null for n = 0. */
  readonly mean: number | null;
  /** The 95 % interval of the mean; null for n < 3, of which it would say nothing. */
  readonly interval: Interval | null;
}

/** Fitness of a finished run: of its champion in the final evaluation, without one the best of the last generation. */
function finalFitness({ state, champion, sparkline }: RunSummary): readonly number[] {
  const fitness = champion?.fitness ?? sparkline.at(-1) ?? Number.NaN;
  return state === "finished" && Number.isFinite(fitness) ? [fitness] : [];
}

/** Mean and interval over the finished runs of a group. */
export function groupResult(runs: readonly RunSummary[]): GroupResult {
  const known = runs.flatMap(finalFitness);
  return {
    n: known.length,
    mean: known.length > 0 ? mean(known) : null,
    interval: known.length > 2 ? meanInterval(known) : null,
  };
}
