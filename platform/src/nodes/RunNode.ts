/** A machine's work on a run that another machine drives, until the run is over or its driver is gone. */
import { Gate, reinforcementLearning } from "../../../src/hosting/index.ts";
import type { TurnStores } from "../artifacts/ArtifactStore.ts";
import type { Database } from "../database/Database.ts";
import type { Notifications } from "../database/Notifications.ts";
import type { Queues } from "../jobs/Queues.ts";
import { DriverWatch } from "./DriverWatch.ts";
import type { LeaseJob } from "./LeaseQueue.ts";
import { NodeRunner } from "./NodeRunner.ts";

interface RunNodeOptions {
  readonly database: Database;
  readonly queues: Queues;
  readonly turns: TurnStores;
  /** Notifications of changed run rows. */
  readonly changes: Notifications;
  readonly lease: LeaseJob;
  readonly cores: number;
  readonly lock_ms: number;
  readonly log: (message: string) => void;
}

const placeName = ({ node, run }: LeaseJob): string => `place ${node} of run ${run}`;

export class RunNode {
  readonly #options: RunNodeOptions;
  readonly #released: Promise<void>;
  #release: () => void = () => undefined;
  #isReleased = false;

  constructor(options: RunNodeOptions) {
    this.#options = options;
    this.#released = new Promise((resolve) => {
      this.#release = resolve;
    });
  }

  /** Frees the place for another machine. */
  release(): void {
    this.#isReleased = true;
    this.#release();
  }

  /** @returns "released" if another machine should take the place. */
  async work(): Promise<"done" | "released"> {
    const { database, queues, turns, changes, lease, cores, lock_ms, log } = this.#options;
    const { run, attempt, setup } = lease;
    let runner: NodeRunner | null = null;
    const gate = new Gate();
    const watch = new DriverWatch({
      database,
      changes,
      attempt: { run, attempt },
      lock_ms,
      gate,
    });
    let isOver = false;
    const over = watch.over.then(() => {
      isOver = true;
    });
    try {
      await watch.look();
      if (isOver || this.#isReleased) return isOver ? "done" : "released";
      runner = await NodeRunner.open({
        database,
        queues,
        store: turns({ run, attempt }),
        definition: reinforcementLearning,
        attempt: { run, attempt },
        setup,
        gate,
        cores,
        lock_ms,
        onNotice: log,
      });
      log(`${placeName(lease)}: taken (attempt ${attempt})`);
      await Promise.race([over, this.#released]);
      return isOver ? "done" : "released";
    } finally {
      await watch.close();
      await runner?.close();
      if (runner) log(`${placeName(lease)}: left after ${runner.turns} turns`);
    }
  }
}
