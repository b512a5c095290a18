import type { ComparedRun } from "./OpenRuns.ts";

/** Runs of one configuration with different seeds. */
export interface SeededRuns {
  /** Name of the configuration. */
  readonly name: string;
  /** Index of the colour: that of its first run, unless another configuration has it. */
  readonly colour: number;
  /** One for each seed: of those that repeat one, the run with the most generations. */
  readonly runs: readonly ComparedRun[];
}

const COLOURS = [0, 1, 2, 3, 4, 5, 6, 7];

const lengthOf = ({ columns }: ComparedRun): number => columns?.generations ?? 0;

/** The configurations of runs, in the order of the first of each. */
export function bySeeds(runs: readonly ComparedRun[]): readonly SeededRuns[] {
  const groups = new Map<string, ComparedRun[]>();
  for (const run of runs) groups.set(run.configuration, [...(groups.get(run.configuration) ?? []), run]);
  const used = new Set<number>();
  return [...groups].map(([name, members]) => {
    const seeds = new Map<number | null, ComparedRun>();
    for (const run of members) {
      const known = seeds.get(run.seed);
      if (known === undefined || lengthOf(run) > lengthOf(known)) seeds.set(run.seed, run);
    }
    const colours = members.map((run) => run.colour);
    const colour = [...colours, ...COLOURS].find((one) => !used.has(one)) ?? colours[0] ?? 0;
    used.add(colour);
    return { name, colour, runs: [...seeds.values()] };
  });
}
