/** The stored data of runs, with a cache of recent reads. */
import { evolutionSections, parseManifestObject, type TrainingManifest } from "../../manifests/index.ts";
import { trainsOnText } from "../../specs/sections.ts";
import {
  isStorageError,
  type RunManifest,
  type RunRecord,
  type RunSizes,
  type RunStore,
} from "../../storage/index.ts";
import { CHAMPION_FILE, ELITE_FILE } from "../../training/loop.ts";
import { workloadOf } from "../../training/workloads/registry.ts";
import type { Elite } from "../files/eliteFiles.ts";
import { readStoredRun, recallModule, type StoredRun, trainedManifest } from "../files/storedRun.ts";
import { LOCAL_RUN, type RunEnd, type RunSummary } from "../protocol/runs.ts";
import { historyEventOf, RunHistory } from "./runHistory.ts";

export class RunCatalog {
  readonly #store: RunStore;
  readonly #stored = new Map<string, StoredRun>();
  readonly #sizes = new Map<string, { readonly version: string; readonly sizes: RunSizes }>();
  /** History of the run that was read last. */
  #history: { readonly id: string; readonly history: RunHistory } | null = null;
  /** One entry is enough: the elite is requested repeatedly while its run is on screen. */
  #elite: (Elite & { readonly id: string; readonly checkpoint: string }) | null = null;

  constructor(store: RunStore) {
    this.#store = store;
  }

  /** The data that a run was started with. */
  async stored(id: string): Promise<StoredRun> {
    const known = this.#stored.get(id);
    if (known) return known;
    const stored = readStoredRun(await this.#manifest(id));
    this.#stored.set(id, stored);
    return stored;
  }

  /**
   * The manifest that a run trains with; registers the user-written environment that it names.
   * @param max_steps Limit that the run was extended to.
   */
  async trained(id: string, max_steps?: number): Promise<TrainingManifest> {
    const stored = await this.stored(id);
    const manifest = trainedManifest(stored, max_steps);
    if (stored.user_module) await recallModule(manifest, stored.user_module);
    return manifest;
  }

  /** @throws Error that says what is kept, if the run's manifest is missing. */
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

  /** The history of a run that is not in memory, read from its log. */
  async readHistory(id: string): Promise<RunHistory> {
    const history = new RunHistory();
    await this.#store.scanLog(id, (logged, place) => {
      const event = historyEventOf(logged);
      if (event !== null) history.add(event, place);
    });
    this.#history = { id, history };
    return history;
  }

  /** The history as it was last read. */
  async history(id: string): Promise<RunHistory> {
    return this.#history?.id === id ? this.#history.history : this.readHistory(id);
  }

  /** A run's row from its stored data. */
  async summary(record: RunRecord): Promise<RunSummary> {
    const { id, name, state, generation, global_step, best_fitness, created_at, updated_at } = record;
    const { checkpoint, device, sparkline = [] } = record;
    const { algorithm, environment, seed } = await this.#subject(id);
    return {
      id,
      name,
      state,
      algorithm,
      environment,
      seed,
      generation,
      global_step,
      best_fitness,
      created_at,
      updated_at,
      bytes: await this.#bytes(record),
      tags: record.tags ?? [],
      note: record.note ?? "",
      device: device?.label ?? null,
      last_checkpoint: checkpoint && {
        generation: checkpoint.generation,
        global_step: checkpoint.global_step,
        at: checkpoint.at ?? Number.NaN,
      },
      steps_per_second: record.steps_per_second ?? null,
      sparkline: Float32Array.from(sparkline, (value) => value ?? Number.NaN),
      live_elsewhere: false,
      fetch: null,
      waiting: false,
      unsaved: null,
      compared_with: record.compared_with ?? null,
      group: record.group ?? null,
      champion: record.champion ?? null,
      end: endOf(record),
      // From its manifest alone it would begin without what the stage before it learned.
      can: record.after === undefined ? LOCAL_RUN : { ...LOCAL_RUN, restart: false },
    };
  }

  /**
   * The member that the run of the newest checkpoint delivers; null if there is none. That is its elite, but the
   * champion so far for a run that did not get to its final evaluations.
   */
  async elite({ id, checkpoint }: RunRecord): Promise<Elite | null> {
    if (!checkpoint) return null;
    if (this.#elite?.id === id && this.#elite.checkpoint === checkpoint.name) return this.#elite;
    const latest = await this.#store.latestCheckpoint(id);
    if (!latest) return null;
    const manifest = parseManifestObject((await this.stored(id)).manifest);
    const crowns = !trainsOnText(manifest) && evolutionSections(manifest).final_episodes > 0;
    const file = crowns && latest.files.has(CHAMPION_FILE) ? CHAMPION_FILE : ELITE_FILE;
    const bytes = latest.files.get(file);
    if (!bytes) return null;
    const definition = workloadOf(manifest);
    const agent = definition.files.decodeAgent(bytes, `${latest.dir}/${file}`);
    this.#elite = { id, agent, definition, generation: latest.commit.generation, checkpoint: latest.name };
    return this.#elite;
  }

  /** Call this for a run that was deleted. */
  forget(id: string): void {
    this.#stored.delete(id);
    this.#sizes.delete(id);
    if (this.#elite?.id === id) this.#elite = null;
    if (this.#history?.id === id) this.#history = null;
  }

  /** Algorithm, environment and seed. A run with a damaged manifest is listed too, so that it can be deleted. */
  async #subject(id: string): Promise<Pick<RunSummary, "algorithm" | "environment" | "seed">> {
    try {
      const { manifest, seed } = await this.stored(id);
      return { algorithm: manifest.algorithm.name, environment: manifest.environment.name, seed };
    } catch {
      return { algorithm: "unknown", environment: "unknown", seed: null };
    }
  }

  /** Bytes of a run's files, computed again when its record has changed. */
  async sizes({ id, updated_at, checkpoint }: RunRecord): Promise<RunSizes> {
    const version = `${updated_at} ${checkpoint?.name}`;
    const known = this.#sizes.get(id);
    if (known?.version === version) return known.sizes;
    const sizes = await this.#store.sizesOf(id);
    this.#sizes.set(id, { version, sizes });
    return sizes;
  }

  async #bytes(record: RunRecord): Promise<number> {
    const { checkpoints, log, elites, populations, manifest } = await this.sizes(record);
    return checkpoints + log + elites + populations + manifest;
  }
}

const END_REASONS: readonly string[] = [
  "max_steps",
  "max_wall_seconds",
  "target",
  "early_stopping",
  "stopped",
  "failed",
  "closed",
  "closed_paused",
] satisfies RunEnd["reason"][];

const isEndReason = (reason: string | null): reason is RunEnd["reason"] =>
  reason === null || END_REASONS.includes(reason);

/** How a stored run ended; a reason that this build does not know is left out. */
const endOf = ({ end }: RunRecord): RunEnd | null =>
  end ? { reason: isEndReason(end.reason) ? end.reason : null, at: end.at } : null;
