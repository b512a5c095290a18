/** Runs that learn from demonstrations beside their environment. */
import { findAlgorithm } from "../../agents/members.ts";
import { algorithmDefinition, listAlgorithms, type TrainingManifest } from "../../manifests/index.ts";
import type { SpecIssue } from "../../specs/checks.ts";
import type { RunPlan } from "../rl/kinds.ts";

/** Part of a batch, as in Ball et al. 2023. */
const SHARE = 0.5;
/** Weight of the loss of imitation, as in Rajeswaran et al. 2018. */
const COEF = 0.1;

/** How an algorithm learns from demonstrations: from batches of its replay buffer, or by imitation; null if it cannot. */
function useOf(name: string): "replay" | "imitation" | null {
  const { off_policy, multi_agent, language_model, runs } = algorithmDefinition(name);
  if (!runs || language_model) return null;
  if (off_policy && !multi_agent) return "replay";
  const algorithm = findAlgorithm(name);
  return algorithm.kind === "on_policy" && algorithm.logProb ? "imitation" : null;
}

/** Part of each batch that is drawn from demonstrations. */
export function demonstrationShare({ algorithm, training }: TrainingManifest): number | null {
  if (training.demonstrations === null || useOf(algorithm.name) !== "replay") return null;
  return training.demonstration_share ?? SHARE;
}

/** How members imitate demonstrations; null if they do not. */
export function imitationOf({ algorithm, training }: TrainingManifest): RunPlan["imitation"] | null {
  const { demonstrations, demonstration_coef, demonstration_steps, max_steps } = training;
  const coef = demonstration_coef ?? COEF;
  if (demonstrations === null || coef === 0 || useOf(algorithm.name) !== "imitation") return null;
  return { coef, steps: demonstration_steps ?? Math.ceil(max_steps / 2) };
}

/** Whether a run reads its demonstrations. */
export const usesDemonstrations = (manifest: TrainingManifest): boolean =>
  demonstrationShare(manifest) !== null || imitationOf(manifest) !== null;

/** Issues of demonstrations that the run's members cannot learn from. */
export function demonstrationIssues(manifest: TrainingManifest): readonly SpecIssue[] {
  const { algorithm, replay_buffer, training } = manifest;
  const { demonstrations } = training;
  if (demonstrations === null) return [];
  const refuse = (why: string): readonly SpecIssue[] => [
    {
      code: "rule",
      path: "training.demonstrations",
      segments: ["training", "demonstrations"],
      message: `found "${demonstrations}", ${why}`,
    },
  ];
  const { name } = algorithm;
  if (algorithmDefinition(name).offline)
    return refuse(`and ${name} learns from environment.dataset_path alone; leave demonstrations out`);
  const use = useOf(name);
  if (use === null) {
    const known = listAlgorithms().map((own) => own.name);
    return refuse(
      `and ${name} cannot learn from demonstrations; allowed with ${known.filter((own) => useOf(own) !== null).join(", ")}`,
    );
  }
  if (use === "imitation" && "recurrent" in algorithm && algorithm.recurrent)
    return refuse(
      "and recurrent is true: a policy with memory cannot imitate single steps; leave one of them out",
    );
  if (replay_buffer?.kind === "classic" && replay_buffer.her)
    return refuse("and replay_buffer.her: goals are not changed in demonstrations; leave one of them out");
  return [];
}
