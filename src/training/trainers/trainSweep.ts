/** Trains the runs of a sweep one after another. */
import type { SweepRun } from "../../manifests/index.ts";
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
import { reasonOf } from "../../storage/files.ts";
import type { FileStore } from "../../storage/index.ts";
import { observers, type TrainingEvent } from "../../tracking/observer.ts";
import { Accelerator } from "../executors/Accelerator.ts";
import type { ManifestSource } from "../files/readManifest.ts";
import { readSweep, type SweepSource } from "../files/readSweep.ts";
import { LocalTrainer } from "./LocalTrainer.ts";
import { RunResult, type SweepGroup, type SweepRow, sweepGroups } from "./sweepResults.ts";

/** Options of {@link trainSweep}. */
export interface TrainSweepOptions {
  /** The manifest of all runs, or its path or URL (default: the one that the sweep names). */
  readonly manifest?: ManifestSource;
  /** Device to train on (default: "cpu"). */
  readonly device?: string;
  readonly accelerator?: Accelerator | null;
  /** Store of files that are named by their paths (default: the disk in Node, OPFS in a browser). */
  readonly store?: FileStore;
  /** Whether to print the progress of each run (default: true). */
  readonly verbose?: boolean;
  /** Receives the events of every run, with the run. */
  readonly observer?: (event: TrainingEvent, run: SweepRun) => void;
  /** Called with the result of each run when it ends. */
  readonly onResult?: (row: SweepRow) => void;
}

const RULES: OptionRules = {
  manifest: ANY,
  device: TEXT,
  accelerator: instanceOf("an Accelerator", Accelerator),
  store: STORE,
  verbose: FLAG,
  observer: FUNCTION,
  onResult: FUNCTION,
};

/** What the runs of a sweep reached. */
export interface SweepResults {
  readonly rows: readonly SweepRow[];
  /** Means over the seeds of each setting. */
  readonly groups: readonly SweepGroup[];
}

/**
 * Trains every run of a sweep, one after another. A run that fails has an `error` in its row; the others train.
 *
 * @param sweep The sweep as an object, as YAML or JSON text, or the path or URL of its file.
 * @throws SpecError before anything is trained, naming each field that cannot be set and in which combination;
 *   StorageError when a file cannot be read.
 *
 * @example
 * ```ts
 * const { groups } = await trainSweep({
 *   manifest: "ppo-cartpole",
 *   seeds: "1..5",
 *   sweep: { "algorithm.lr": [0.001, 0.003] },
 * });
 * for (const { name, mean, interval } of groups) console.log(name, mean, interval);
 * ```
 */
export async function trainSweep(sweep: SweepSource, options: TrainSweepOptions = {}): Promise<SweepResults> {
  checkOptions("trainSweep", options, RULES, { example: "{ verbose: false }" });
  const { manifest, device, accelerator, store, verbose, observer, onResult } = options;
  const runs = await readSweep(sweep, { store, manifest, environments: listEnvironments() });
  const rows: SweepRow[] = [];
  for (const run of runs) {
    const { name, setting, seed } = run;
    const result = new RunResult();
    const told = observer ? [{ on: (event: TrainingEvent) => observer(event, run) }] : [];
    let error: string | null = null;
    try {
      const trainer = await LocalTrainer.fromManifest(run.manifest, {
        ...(device !== undefined && { device }),
        ...(accelerator && { accelerator }),
        ...(store && { store }),
      });
      await trainer.train({
        ...(verbose !== undefined && { verbose }),
        observer: told.length > 0 ? observers(result, ...told) : result,
      });
    } catch (reason) {
      error = reasonOf(reason);
    }
    const row: SweepRow = { name, setting, seed, ...result.numbers, error };
    rows.push(row);
    onResult?.(row);
  }
  return { rows, groups: sweepGroups(rows) };
}
