/** Files of a run for the user to download. */
import type { FileStore } from "../../storage/index.ts";
import { type DownloadedElite, eliteFile, policyFile } from "../files/eliteFiles.ts";
import { eventsFile, metricsFile, type ToldRun, toldAs } from "../files/metricFiles.ts";
import type { Coordinator } from "../protocol/calls.ts";
import { allReports } from "../runs/pastReports.ts";
import type { Runs } from "../runs/Runs.ts";

export class RunDownloads {
  readonly #runs: Runs;
  readonly #files: FileStore;

  /** @param files The store of the runs' files and models. */
  constructor(runs: Runs, files: FileStore) {
    this.#runs = runs;
    this.#files = files;
  }

  readonly calls = {
    downloadElite: async (id) => eliteFile(await this.#elite(id)),
    downloadPolicy: async (id) => policyFile(await this.#elite(id)),
    downloadMetrics: async (id) => metricsFile(await this.#told(id)),
    downloadEvents: async (id) => eventsFile(await this.#told(id)),

    exportRun: async (id) => {
      const { name } = await this.#runs.record(id);
      const file = name.replaceAll(/[^\p{L}\p{N}._-]+/gu, "-").slice(0, 80);
      const bytes = await this.#runs.store.exportRun(id);
      return { name: `${file}.rlkit.zip`, type: "application/zip", bytes: new Uint8Array(bytes) };
    },
  } satisfies Partial<Coordinator>;

  async #elite(id: string): Promise<DownloadedElite> {
    const elite = await this.#runs.elite(id);
    if (!elite) throw new Error("There is no elite yet: the run's first generation has not ended.");
    return { elite, manifest: await this.#runs.manifest(id), files: this.#files };
  }

  /** A run's reports and metadata, for a file. */
  async #told(id: string): Promise<ToldRun> {
    const record = await this.#runs.record(id);
    const history = await this.#runs.history(id);
    const { seed } = await this.#runs.catalog.stored(id);
    const elite = await this.#runs.elite(id);
    const members = this.#runs.active(id)?.training.members ?? (elite ? [elite.agent] : []);
    return {
      ...toldAs(await this.#runs.manifest(id), seed, members, history.population),
      started: record.created_at,
      reports: allReports(this.#runs.store, id, history),
    };
  }
}
