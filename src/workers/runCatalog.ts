/** What is on disk of runs, with what was read once kept at hand. */
import { parseManifestObject } from "../specs/index.ts";
import { isStorageError, type RunManifest, type RunRecord, type RunStore } from "../storage/index.ts";
import { ELITE_FILE } from "../training/loop/runFiles.ts";
import type { Member } from "../training/loop/Workload.ts";
import type { WorkloadDefinition } from "../training/loop/WorkloadDefinition.ts";
import { workloadOf } from "../training/workloads/registry.ts";
import { type ActiveRun, progressOf } from "./activeRun.ts";
import type { RunSummary } from "./protocol.ts";
import { historyEventOf, RunHistory } from "./runHistory.ts";
import { readStoredRun, type StoredRun } from "./storedRun.ts";

/** The best member of a run's last generation. */
export interface Elite {
  readonly agent: Member;
  /** What trains its run. */
  readonly definition: WorkloadDefinition;
  readonly generation: number;
}

export class RunCatalog {
  readonly #store: RunStore;
  readonly #stored = new Map<string, StoredRun>();
  readonly #sizes = new Map<string, { readonly checkpoint: string; readonly bytes: number }>();
  /** Of the run that was looked at last. */
  #history: { readonly id: string; readonly history: RunHistory } | null = null;
  /** One is enough: it is asked for again and again while its run is on the screen. */
  #elite: (Elite & { readonly id: string; readonly checkpoint: string }) | null = null;

  constructor(store: RunStore) {
    this.#store = store;
  }

  /** How a run was started. */
  async stored(id: string): Promise<StoredRun> {
    const known = this.#stored.get(id);
    if (known) return known;
    const stored = readStoredRun(await this.#manifest(id));
    this.#stored.set(id, stored);
    return stored;
  }

  /** @throws Error that says what is kept, when the run's manifest is missing. */
  async #manifest(id: string): Promise<RunManifest> {
    try {
      return await this.#store.readManifest(id);
    } catch (error) {
      if (!isStorageError(error, "not_found")) throw error;
      const kept = (await this.#store.listCheckpoints(id)).length;
      throw new Error(
        `The manifest.json of this run is missing, so it cannot be opened or resumed; its ${kept} checkpoint(s) are kept. ` +
          "Start a new run with the same manifest, and delete this one when its checkpoints are of no use.",
        { cause: error },
      );
    }
  }

  /** What happened in a run that is not in memory, as its log tells it now. */
  async readHistory(id: string): Promise<RunHistory> {
    const history = new RunHistory();
    await this.#store.scanLog(id, (logged, place) => {
      const event = historyEventOf(logged);
      if (event !== null) history.add(event, place);
    });
    this.#history = { id, history };
    return history;
  }

  /** The same, as it was read last. */
  async history(id: string): Promise<RunHistory> {
    return this.#history?.id === id ? this.#history.history : this.readHistory(id);
  }

  /** A run's row; `run` is the run itself while it is in memory. */
  async summary(record: RunRecord, run: ActiveRun | undefined): Promise<RunSummary> {
    const { id, name, state, generation, global_step, best_fitness, created_at, updated_at } = record;
    const [algorithm, environment] = await this.#subject(id);
    return {
      id,
      name,
      state: run?.state ?? state,
      algorithm,
      environment,
      ...(run ? progressOf(run) : { generation, global_step, best_fitness }),
      created_at,
      updated_at,
      bytes: await this.#bytes(record),
    };
  }

  /** The elite of the newest checkpoint; null when there is none. */
  async elite({ id, checkpoint }: RunRecord): Promise<Elite | null> {
    if (!checkpoint) return null;
    if (this.#elite?.id === id && this.#elite.checkpoint === checkpoint.name) return this.#elite;
    const latest = await this.#store.latestCheckpoint(id);
    const bytes = latest?.files.get(ELITE_FILE);
    if (!latest || !bytes) return null;
    const definition = workloadOf(parseManifestObject((await this.stored(id)).manifest));
    const agent = definition.files.decodeAgent(bytes, `${latest.dir}/${ELITE_FILE}`);
    this.#elite = { id, agent, definition, generation: latest.commit.generation, checkpoint: latest.name };
    return this.#elite;
  }

  /** To be called for a run that was deleted. */
  forget(id: string): void {
    this.#stored.delete(id);
    this.#sizes.delete(id);
    if (this.#elite?.id === id) this.#elite = null;
    if (this.#history?.id === id) this.#history = null;
  }

  /** Algorithm and environment; a run whose manifest is damaged is listed all the same, to be deleted. */
  async #subject(id: string): Promise<readonly [algorithm: string, environment: string]> {
    try {
      const { manifest } = await this.stored(id);
      return [manifest.algorithm.name, manifest.environment.name];
    } catch {
      return ["unknown", "unknown"];
    }
  }

  /** Bytes of a run's checkpoints; its manifest and log are small beside them. */
  async #bytes({ id, checkpoint }: RunRecord): Promise<number> {
    if (!checkpoint) return 0;
    const known = this.#sizes.get(id);
    if (known?.checkpoint === checkpoint.name) return known.bytes;
    const checkpoints = await this.#store.listCheckpoints(id);
    const sizes = checkpoints.flatMap(({ commit }) => commit.files.map(({ size }) => size));
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    this.#sizes.set(id, { checkpoint: checkpoint.name, bytes });
    return bytes;
  }
}
