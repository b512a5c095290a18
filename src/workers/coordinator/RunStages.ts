/** Runs that are stages: each begins with the elite of the one before, when that is finished. */
import { manifestToObject, type StageRun, type TrainingManifest } from "../../manifests/index.ts";
import type { FileStore, RunRecord } from "../../storage/index.ts";
import type { RunState } from "../../training/loop.ts";
import { workloadOf } from "../../training/workloads/registry.ts";
import { defaultName } from "../files/storedRun.ts";
import type { StartOptions } from "../protocol/runs.ts";
import type { KeptAgents } from "../runs/KeptAgents.ts";
import type { Runs } from "../runs/Runs.ts";
import { requireName, unusedName, withEnding } from "./RunEdits.ts";

interface RunStagesParts {
  readonly runs: Runs;
  readonly agents: KeptAgents;
  readonly files: FileStore;
  /** Stores a run that trains later. Returns its id. */
  readonly keep: (manifest: unknown, options: StartOptions, reason: string) => Promise<string>;
  /** Queues a stored run. */
  readonly add: (id: string) => Promise<void>;
  /** Starts the next queued run. */
  readonly startNext: () => void;
}

export class RunStages {
  readonly #parts: RunStagesParts;

  constructor(parts: RunStagesParts) {
    this.#parts = parts;
  }

  /**
   * Starts the first stage, and stores the others as runs of the same group. Returns the id of the first.
   * @param begin Starts or queues it.
   */
  async start(
    [first, ...others]: readonly StageRun[],
    { name, ...options }: StartOptions,
    begin: (manifest: unknown, options: StartOptions) => Promise<string>,
  ): Promise<string> {
    if (!first) throw new Error("stages: found an empty list; give at least one.");
    const { runs, keep, startNext } = this.#parts;
    const used = new Set((await runs.store.listRuns()).map(({ group }) => group));
    const group = unusedName(requireName(name ?? defaultName(first.manifest)), used);
    const ownOf = (stage: StageRun) => ({ ...options, group, name: withEnding(group, `, ${stage.name}`) });
    const id = await begin(manifestToObject(first.manifest), ownOf(first));
    let after = id;
    for (const stage of others) {
      const kept = await keep(
        manifestToObject(stage.manifest),
        ownOf(stage),
        "It is waiting for the stage before it.",
      );
      await runs.store.updateRun(kept, { after });
      after = kept;
    }
    // The first one may have ended in the meantime.
    await this.queueAfter(id);
    if (!runs.running) startNext();
    return id;
  }

  /** Queues the stage after a run, if that is finished. */
  async queueAfter(id: string): Promise<void> {
    const { runs, add } = this.#parts;
    if ((await runs.store.getRun(id))?.state !== "finished") return;
    for (const { id: next, after, state } of await runs.store.listRuns())
      if (after === id && state === "stopped" && !runs.active(next)) await add(next);
  }

  /**
   * The state that a stage without checkpoints begins with; null for other runs.
   * @throws Error if the stage before it is not finished, or was deleted.
   */
  async stateOf({ after }: RunRecord, manifest: TrainingManifest, seed: number): Promise<RunState | null> {
    if (after === undefined) return null;
    const { runs, agents, files } = this.#parts;
    const before = await runs.store.getRun(after);
    if (!before)
      throw new Error("The stage before it was deleted; fork an agent of another run in its place.");
    if (before.state !== "finished")
      throw new Error(
        `It begins with what "${before.name}" learns, which is not finished; resume that first.`,
      );
    const { runs: kind } = workloadOf(manifest);
    const { agent } = await agents.find(after, { kind: "elite" });
    const state = await kind.nextStage?.(kind.firstState(manifest, seed), manifest, seed, agent, files);
    if (!state) throw new Error(`Runs of ${manifest.algorithm.name} cannot be stages.`);
    return state;
  }
}
