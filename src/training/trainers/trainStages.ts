/** Trains the stages of a manifest one after another. */
import type { StageRun } from "../../manifests/index.ts";
import { listEnvironments } from "../../rl/environments.ts";
import {
  ANY,
  checkOptions,
  FLAG,
  FUNCTION,
  instanceOf,
  type OptionRules,
  STORE,
  TEXT,
} from "../../specs/checks.ts";
import { type FileStore, joinPath } from "../../storage/index.ts";
import { observers, type TrainingEvent } from "../../tracking/observer.ts";
import { Accelerator } from "../executors/Accelerator.ts";
import type { ManifestSource } from "../files/readManifest.ts";
import { readStages } from "../files/readStages.ts";
import type { TrainingRun } from "../loop/TrainingRun.ts";
import { workloadIssues } from "../workloads/registry.ts";
import { LocalTrainer } from "./LocalTrainer.ts";
import { RunResult, type SweepRow } from "./sweepResults.ts";

/** Options of {@link trainStages}. */
export interface TrainStagesOptions {
  /** Device to train on (default: "cpu"). */
  readonly device?: string;
  readonly accelerator?: Accelerator | null;
  /** Seed of all random draws (default: the manifest's). */
  readonly seed?: number;
  /** Store of all files (default: the disk in Node, OPFS in a browser). */
  readonly store?: FileStore;
  /** Directory for the elite of each stage, such as `1-SFT.safetensors` (default: none is written). */
  readonly out?: string | null;
  /** Whether to print the progress of each stage (default: true). */
  readonly verbose?: boolean;
  /** Receives the events of every stage, with the stage. */
  readonly observer?: (event: TrainingEvent, stage: StageRun) => void;
}

const RULES: OptionRules = {
  device: TEXT,
  accelerator: instanceOf("an Accelerator", Accelerator),
  seed: ANY,
  store: STORE,
  out: TEXT,
  verbose: FLAG,
  observer: FUNCTION,
};

/** What a stage reached. */
export type StageResult = Pick<SweepRow, "name" | "fitness" | "steps" | "seconds">;

/**
 * Trains the stages of a language model's manifest one after another. Each begins with the elite of the one before, which
 * is its reference too.
 *
 * @param manifest A manifest with `stages`: an object, YAML or JSON text, or the path or URL of its file.
 * @returns what each stage reached, in order.
 * @throws SpecError before anything is trained, naming each faulty field; StorageError when a file cannot be read; also
 *   the errors of `LocalTrainer.train`, which end the chain.
 *
 * @example
 * ```ts
 * const stages = await trainStages("sft-dpo.yaml", { out: "runs/chain" });
 * for (const { name, fitness } of stages) console.log(name, fitness);
 * ```
 */
export async function trainStages(
  manifest: ManifestSource,
  options: TrainStagesOptions = {},
): Promise<readonly StageResult[]> {
  checkOptions("trainStages", options, RULES, { example: "{ verbose: false }" });
  const { device, accelerator, seed, store, out = null, verbose, observer } = options;
  const stages = await readStages(manifest, store, {
    environments: listEnvironments(),
    alsoCheck: workloadIssues,
  });
  const results: StageResult[] = [];
  let run: TrainingRun | null = null;
  for (const stage of stages) {
    const before = (run as TrainingRun | null)?.delivered ?? null;
    const trainer: LocalTrainer = await LocalTrainer.fromManifest(stage.manifest, {
      ...(device !== undefined && { device }),
      ...(accelerator && { accelerator }),
      ...(seed !== undefined && { seed }),
      ...(store && { store }),
    });
    if (before) trainer.after(before);
    const result = new RunResult();
    const told = observer ? [{ on: (event: TrainingEvent) => observer(event, stage) }] : [];
    await trainer.train({
      ...(verbose !== undefined && { verbose }),
      ...(out !== null && {
        save_elite: true,
        elite_path: joinPath(out, `${stage.name.replace(" ", "-")}.safetensors`),
      }),
      observer: told.length > 0 ? observers(result, ...told) : result,
      onRun: (started) => {
        run = started;
      },
    });
    results.push({ name: stage.name, ...result.numbers });
  }
  return results;
}
