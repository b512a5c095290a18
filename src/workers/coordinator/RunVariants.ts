/** Runs that are made to be compared with each other: variants of a stored one, and those of a sweep. */
import { manifestToObject } from "../../manifests/index.ts";
import { withoutEvolution, withSeed } from "../../training/plan.ts";
import { workloadOf } from "../../training/workloads/registry.ts";
import type { UserEnvironments } from "../files/userEnvironments.ts";
import { type Coordinator, MOST_SEEDS } from "../protocol/calls.ts";
import type { Runs } from "../runs/Runs.ts";
import { parseInput } from "./parseInput.ts";
import { requireName, unusedName, withEnding } from "./RunEdits.ts";
import type { RunLauncher } from "./RunLauncher.ts";
import { sweepCombinations } from "./sweepRuns.ts";

interface VariantParts {
  readonly runs: Runs;
  readonly launcher: RunLauncher;
  readonly environments: UserEnvironments;
}

const PAIRED = " (no evolution)";
/** The end of the name of a repeat. */
const WITH_SEED = /, seed \d+$/;

/** @throws Error for a run that begins with what another learned, which its variants would not. */
function requireNoStage(after: string | undefined): void {
  if (after === undefined) return;
  throw new Error(
    "This run is a stage, which begins with what the one before learned; start all stages of its manifest again.",
  );
}

export class RunVariants {
  readonly #parts: VariantParts;

  constructor(parts: VariantParts) {
    this.#parts = parts;
  }

  readonly calls = {
    compare: async (id) => {
      const { runs, launcher } = this.#parts;
      const { name, max_steps, after } = await runs.record(id);
      requireNoStage(after);
      const { seed, device } = await runs.catalog.stored(id);
      const manifest = await runs.catalog.trained(id, max_steps);
      await launcher.require(manifest);
      const pair = withoutEvolution(manifest, (each) => workloadOf(each).runs.prepare(each, seed));
      const options = { seed, device, name: withEnding(name, PAIRED) };
      const added = await launcher.queue(manifestToObject(pair), options);
      await runs.store.updateRun(added, { compared_with: id });
      await runs.tellSummary(added);
      return added;
    },

    repeat: async (id, seeds) => {
      if (!Number.isInteger(seeds) || seeds < 2 || seeds > MOST_SEEDS)
        throw new Error(`seeds: found ${seeds}, allowed whole numbers from 2 to ${MOST_SEEDS}.`);
      const { runs, launcher } = this.#parts;
      const { name, max_steps, after, ...record } = await runs.record(id);
      requireNoStage(after);
      const all = await runs.store.listRuns();
      const plain = name.replace(WITH_SEED, "");
      const group = record.group ?? unusedName(plain, new Set(all.map((other) => other.group)));
      const { seed: first, device } = await runs.catalog.stored(id);
      const members = all.filter((other) => other.id === id || other.group === group);
      const used = new Set<number>();
      for (const member of members) used.add((await runs.catalog.stored(member.id)).seed);
      const manifest = await runs.catalog.trained(id, max_steps);
      if (record.group === undefined) {
        await runs.store.updateRun(id, { group });
        await runs.tellSummary(id);
      }
      for (let seed = first + 1; used.size < seeds; seed++) {
        if (used.has(seed)) continue;
        used.add(seed);
        const options = { seed, device, group, name: withEnding(plain, `, seed ${seed}`) };
        await launcher.queue(manifestToObject(withSeed(manifest, seed)), options);
      }
      return group;
    },

    sweep: async (input, sweep, { name, ...options } = {}) => {
      const { runs, launcher, environments } = this.#parts;
      const title = name === undefined ? "" : `${requireName(name)}, `;
      const combinations = sweepCombinations(input, sweep);
      // Seeds do not change whether a run fits this machine.
      for (const {
        runs: [first],
      } of combinations)
        if (first) await launcher.require(await parseInput(manifestToObject(first.manifest), environments));
      const used = new Set((await runs.store.listRuns()).map(({ group }) => group));
      let count = 0;
      for (const combination of combinations) {
        const plain = withEnding(`${title}${combination.name}`, "");
        const group = unusedName(plain, used);
        used.add(group);
        for (const { seed, manifest } of combination.runs) {
          const repeats = combination.runs.length > 1 && seed !== null;
          const chosen = repeats
            ? { seed, group, name: withEnding(plain, `, seed ${seed}`) }
            : { name: plain };
          await launcher.queue(manifestToObject(manifest), { ...options, ...chosen });
          count += 1;
        }
      }
      return count;
    },
  } satisfies Partial<Coordinator>;
}
