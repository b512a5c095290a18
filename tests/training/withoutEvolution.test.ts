import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scalarsOf } from "../../src/agents/members.ts";
import {
  evolutionSections,
  manifestToObject,
  parseManifestObject,
  type TrainingManifest,
} from "../../src/manifests/index.ts";
import { LocalTrainer } from "../../src/training/index.ts";
import { isEvolving, plannedSteps, withoutEvolution } from "../../src/training/plan.ts";
import { workloadOf } from "../../src/training/workloads/registry.ts";
import { dqn, trained } from "./support/tiny.ts";

const prepare = (manifest: TrainingManifest) => workloadOf(manifest).runs.prepare(manifest, 1);
const planned = (manifest: TrainingManifest): number => plannedSteps(manifest, prepare(manifest));
const pairOf = (manifest: TrainingManifest): TrainingManifest => withoutEvolution(manifest, prepare);

/** Steps of one member that no generation can be shorter by: a vector step, or a rollout. */
function leastOf(manifest: TrainingManifest): number {
  const { workload } = prepare({ ...manifest, training: { ...manifest.training, evo_steps: 1 } });
  const hyperparameters = scalarsOf(manifest.algorithm);
  return workload.generationSteps?.({ steps: 0, hyperparameters }) ?? 1;
}

/** Generations of a run without rests. */
function generationsOf(manifest: TrainingManifest): number {
  const { workload } = prepare(manifest);
  const hyperparameters = scalarsOf(manifest.algorithm);
  const length = workload.generationSteps?.({ steps: 0, hyperparameters }) ?? 1;
  return planned(manifest) / manifest.training.pop_size / length;
}

const selection = fc.oneof(
  fc.record({ strategy: fc.constant("tournament"), tournament_size: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ strategy: fc.constant("truncation"), quantile: fc.constant(0.5) }),
  fc.record({
    strategy: fc.constant("halving"),
    smallest: fc.constantFrom(1, 2),
    rung: fc.option(fc.integer({ min: 1, max: 9 })),
    followed_by: fc.constantFrom(null, "truncation"),
    quantile: fc.constant(0.5),
  }),
);

const algorithm = fc.oneof(
  fc.constant({ name: "DQN" }),
  fc.record({
    name: fc.constant("PPO"),
    learn_step: fc.constantFrom(16, 20, 64),
    batch_size: fc.constant(16),
  }),
);

const manifests = fc
  .record({
    algorithm,
    selection_strategy: fc.option(selection),
    hpo: fc.constantFrom(false, true, "search" as const),
    pop_size: fc.constantFrom(2, 4, 8),
    num_envs: fc.constantFrom(1, 4, 8),
    evo_steps: fc.option(fc.integer({ min: 100, max: 3000 })),
    max_steps: fc.integer({ min: 3000, max: 60_000 }),
    target_score: fc.option(fc.constant(500)),
  })
  .filter(({ selection_strategy, pop_size }) => {
    if (selection_strategy?.strategy !== "halving" || !("followed_by" in selection_strategy)) return true;
    // Truncation among the last ones needs two.
    return selection_strategy.followed_by === null || (selection_strategy.smallest === 2 && pop_size > 2);
  })
  .map(({ algorithm: own, selection_strategy, hpo, num_envs, ...training }) =>
    parseManifestObject({
      algorithm: own,
      environment: { env_type: "gym", name: "CartPole-v1", num_envs },
      training: { ...training, hpo },
      selection_strategy,
      mutation: hpo === false ? {} : null,
    }),
  )
  .filter(isEvolving);

const SET_BY_PAIRS = ["max_steps", "evo_steps", "hpo", "final_episodes", "learn_from"];

describe("the pair of a run without evolution", () => {
  it("takes the same steps in total, up to half a vector step or rollout in each generation", () => {
    fc.assert(
      fc.property(manifests, (manifest) => {
        const pair = pairOf(manifest);
        const total = planned(manifest);
        const least = leastOf(manifest);
        const { pop_size } = manifest.training;
        const off = Math.abs(planned(pair) - total) / pop_size;
        // Nothing comes nearer than half a vector step or rollout in each generation; mostly nothing is off.
        expect(off).toBeLessThanOrEqual((least * Math.max(1, generationsOf(pair))) / 2);
        expect(off <= least / 2 || off < 0.1 * (total / pop_size)).toBe(true);
        const rests = evolutionSections(manifest).selection_strategy?.strategy === "halving";
        expect(rests || planned(pair) === total).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  it("has nothing else that differs from the run", () => {
    fc.assert(
      fc.property(manifests, (manifest) => {
        const pair = pairOf(manifest);
        const own = evolutionSections(manifest);
        expect(evolutionSections(pair)).toEqual({
          ...own,
          mutation: null,
          selection_strategy: { strategy: "none", name: null },
        });
        expect(isEvolving(pair)).toBe(false);
        const { training: _own, ...others } = manifest;
        expect(pair).toMatchObject({ ...others, mutation: null, selection_strategy: { strategy: "none" } });
        const [kept, before] = [pair, manifest].map(({ training }) =>
          Object.entries(training).filter(([name]) => !SET_BY_PAIRS.includes(name)),
        );
        expect(kept).toEqual(before);
        expect(parseManifestObject(manifestToObject(pair))).toEqual(pair);
      }),
      { numRuns: 50 },
    );
  });

  it("is refused for a manifest without selection, and for one member", () => {
    const { manifest } = new LocalTrainer(dqn());
    expect(() => pairOf(manifest)).toThrow(/selection_strategy: found no selection/);
    const alone = new LocalTrainer(dqn({ hpo: true, training: { pop_size: 1 } })).manifest;
    expect(() => pairOf(alone)).toThrow(/several members/);
  });

  it("trains for as many steps as a run whose members rest, from the same first members", async () => {
    const selection_strategy = { strategy: "halving", smallest: 2, rung: 2 } as const;
    const options = dqn({ hpo: "search", selection_strategy, training: { pop_size: 4, max_steps: 640 } });
    const trainer = new LocalTrainer(options);
    const pair = await LocalTrainer.fromManifest(pairOf(trainer.manifest), { seed: 42 });
    const [raced, still] = [await trained(trainer), await trained(pair)];
    const last = ({ recorder }: typeof raced) => recorder.generations.at(-1);
    expect(last(still)?.global_step).toBe(last(raced)?.global_step);
    expect(last(still)?.evolution).toMatchObject({ members: 4, ancestors: 4 });
    const first = ({ recorder }: typeof raced) => recorder.generations[0]?.members[0]?.fitness;
    expect(first(still)).toBe(first(raced));
    expect(still.recorder.of("champion")).toHaveLength(1);
  });
});
