/** What pages read of a run: its state, reports, history, kernels and environment. */
import { userEnvironmentName } from "../../specs/sections.ts";
import { textAs } from "../files/userEnvironments.ts";
import type { Coordinator } from "../protocol/calls.ts";
import { readHistoryColumns, reportsBetween } from "../runs/pastReports.ts";
import type { Runs } from "../runs/Runs.ts";

export class RunReader {
  readonly #runs: Runs;

  constructor(runs: Runs) {
    this.#runs = runs;
  }

  readonly calls = {
    manifests: async () => {
      const records = await this.#runs.store.listRuns();
      const read = await Promise.allSettled(
        records.map(async ({ id }) => [id, (await this.#runs.catalog.stored(id)).manifest] as const),
      );
      return Object.fromEntries(
        read.flatMap((result) => (result.status === "fulfilled" ? [result.value] : [])),
      );
    },
    snapshot: async (id) => {
      const record = await this.#runs.record(id);
      const run = this.#runs.active(id);
      const history = run?.history ?? (await this.#runs.catalog.readHistory(id));
      const summary = await this.#runs.summary(record);
      const { manifest, seed, device } = await this.#runs.catalog.stored(id);
      return {
        summary,
        manifest,
        options: { seed, device },
        columns: history.columns(),
        latest: history.latest,
        progress: run?.progress ?? null,
        device: run?.device ?? record.device ?? null,
        total_steps: run?.progress?.total_steps ?? (await this.#runs.totalSteps(record)),
        notices: history.notices,
        completions: history.completions,
        failure: summary.state === "failed" ? (run?.failure ?? record.reason) : null,
      };
    },
    generations: async (id, first, last) => {
      await this.#runs.record(id);
      return reportsBetween(this.#runs.store, id, await this.#runs.history(id), first, last);
    },
    history: async (id, from) => {
      await this.#runs.record(id);
      return readHistoryColumns(this.#runs.store, id, await this.#runs.history(id), from);
    },
    steering: async (id) => {
      await this.#runs.record(id);
      return (await this.#runs.history(id)).steering;
    },
    kernels: async (id) => {
      await this.#runs.record(id);
      return (await this.#runs.active(id)?.kernels()) ?? null;
    },
    runEnvironment: async (id) => {
      await this.#runs.record(id);
      const { user_module: own } = await this.#runs.catalog.stored(id);
      const name = userEnvironmentName(own?.name);
      return own && name !== null ? textAs(name, own.sha256, own.source) : null;
    },
  } satisfies Partial<Coordinator>;
}
