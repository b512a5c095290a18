/** The pair of a run: the same population without evolution, for the same number of steps. */
import {
  algorithmDefinition,
  evolutionSections,
  evolvesAlone,
  manifestToObject,
  NoSelectionSpec,
  parseManifestObject,
  type TrainingManifest,
} from "../../manifests/index.ts";
import { expectedSteps } from "../loop/LoopPlan.ts";
import type { Member } from "../loop/Workload.ts";
import type { PreparedRun } from "../loop/WorkloadDefinition.ts";

/** Builds the parts of a run from a manifest. */
type Prepare = (manifest: TrainingManifest) => PreparedRun;

/** Expected steps of the whole population at the end of a run that has taken `global_step` steps. */
export function plannedSteps(manifest: TrainingManifest, prepared: PreparedRun, global_step = 0): number {
  const { pop_size } = manifest.training;
  const { plan, workload, selection } = prepared;
  const members = Array.from({ length: pop_size }, () => memberOf(manifest, global_step / pop_size));
  const stepsOf = workload.generationSteps?.bind(workload);
  // Generations done are not known here, so a run that has begun counts as if all its members went on.
  const activeIn = (ahead: number): number =>
    global_step === 0 ? (selection?.activeIn?.(ahead + 1) ?? pop_size) : pop_size;
  return expectedSteps(plan, members, stepsOf, activeIn);
}

const memberOf = (manifest: TrainingManifest, steps = 0): Pick<Member, "steps" | "hyperparameters"> => ({
  steps,
  // Only numbers of the algorithm's section are read.
  hyperparameters: { ...manifest.algorithm } as Member["hyperparameters"],
});

/** Whether members are selected in a manifest's run, so that it has a pair. */
export function isEvolving(manifest: TrainingManifest): boolean {
  const { selection_strategy: strategy, mutation } = evolutionSections(manifest);
  if (strategy === null || strategy.strategy === "none" || manifest.training.pop_size === 1) return false;
  return mutation !== null || evolvesAlone(strategy);
}

/**
 * The manifest of a run's pair: no selection and no mutation, so that all members keep the values of the
 * algorithm's section; population, final evaluation and `learn_from` of the run. The population takes as many
 * steps in total. Where members of the run rest, those of the pair take fewer steps each: whole generations of
 * nearly the same length, whose sum is nearest to the run's.
 * @throws RangeError for a manifest without evolution.
 */
export function withoutEvolution(manifest: TrainingManifest, prepare: Prepare): TrainingManifest {
  if (!isEvolving(manifest))
    throw new RangeError(
      "selection_strategy: found no selection among several members, which is what a comparison with no evolution needs",
    );
  const { training, algorithm } = manifest;
  const { final_episodes, learn_from } = evolutionSections(manifest);
  const { language_model } = algorithmDefinition(algorithm.name);
  const pair: TrainingManifest = {
    ...manifest,
    mutation: null,
    selection_strategy: NoSelectionSpec.parse({ strategy: "none" }),
    training: {
      ...training,
      hpo: false,
      ...(!language_model && { final_episodes, learn_from: learn_from ?? training.learn_from }),
    },
  };
  const total = plannedSteps(manifest, prepare(manifest));
  const same = plannedSteps(pair, prepare(pair)) === total;
  const sized = same ? pair : { ...pair, training: { ...pair.training, ...lengthFor(pair, total, prepare) } };
  return parseManifestObject(manifestToObject(sized));
}

/** How far the number of generations of a pair may be from that with the run's own `evo_steps`. */
const STRETCH = 1.5;

/** The steps of a run without rests whose population takes nearest to `total` steps. */
function lengthFor(
  pair: TrainingManifest,
  total: number,
  prepare: Prepare,
): Pick<TrainingManifest["training"], "max_steps" | "evo_steps"> {
  const { training, algorithm } = pair;
  const { pop_size } = training;
  const ofGeneration = (evo_steps: number): number => {
    const { workload } = prepare({ ...pair, training: { ...training, evo_steps } });
    return workload.generationSteps?.(memberOf(pair)) ?? 1;
  };
  const { plan, workload } = prepare(pair);
  const own = workload.generationSteps?.(memberOf(pair)) ?? 1;
  const least = ofGeneration(1);
  const each = total / pop_size;
  // A bandit's generation is an episode.
  const lengths = (count: number): number[] =>
    algorithmDefinition(algorithm.name).bandit
      ? [own]
      : [Math.floor(each / count / least), Math.ceil(each / count / least)].map(
          (part) => Math.max(1, part) * least,
        );
  let best = { count: Math.max(1, Math.ceil(each / own)), length: own };
  const off = ({ count, length }: typeof best): number => Math.abs(count * length - each);
  for (
    let count = Math.max(1, Math.floor(each / own / STRETCH));
    count <= (each / own) * STRETCH + 1;
    count += 1
  )
    for (const length of lengths(count)) {
      const found = { count, length };
      const nearer = off(found) < off(best);
      const alike = off(found) === off(best) && Math.abs(length - own) < Math.abs(best.length - own);
      if (nearer || alike) best = found;
    }
  const steps = best.count * best.length;
  return {
    max_steps: plan.max_steps_of === "population" ? steps * pop_size : steps,
    evo_steps: algorithmDefinition(algorithm.name).bandit
      ? training.evo_steps
      : shortestWith(ofGeneration, best.length),
  };
}

/** The least `evo_steps` whose generation has `length` steps: rollouts may be longer than their `learn_step`. */
function shortestWith(ofGeneration: (evo_steps: number) => number, length: number): number {
  if (ofGeneration(length) === length) return length;
  let [low, high] = [1, length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (ofGeneration(middle) < length) low = middle + 1;
    else high = middle;
  }
  return low;
}
