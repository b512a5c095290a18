/** Deletes the remains of attempts that are over: their turn artifacts and their queues. */
import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { turnsDirectory } from "../artifacts/turnStores.ts";
import type { Queues } from "../jobs/Queues.ts";
import { TurnQueue } from "../nodes/TurnQueue.ts";
import { attemptName, attemptOf } from "../nodes/turnJob.ts";
import type { RunTable } from "../runs/RunTable.ts";

interface TurnCollectorOptions {
  /** The platform's data directory. */
  readonly directory: string;
  readonly runs: RunTable;
  readonly queues: Queues;
}

export class TurnCollector {
  readonly #options: TurnCollectorOptions;

  constructor(options: TurnCollectorOptions) {
    this.#options = options;
  }

  async collect(): Promise<void> {
    const { directory, runs, queues } = this.#options;
    const parent = turnsDirectory(directory);
    // Listed before the runs are read, so an attempt that starts later is not in the list.
    const names = await readdir(parent).catch(() => []);
    const attempts = names.map(attemptOf).filter((attempt) => attempt !== null);
    if (attempts.length === 0) return;
    const current = new Map((await runs.unended()).map(({ id, attempt }) => [id, attempt]));
    for (const attempt of attempts) {
      if (current.get(attempt.run) === attempt.attempt) continue;
      await TurnQueue.obliterate(queues, attempt);
      await rm(path.join(parent, attemptName(attempt)), { recursive: true, force: true });
    }
  }
}
