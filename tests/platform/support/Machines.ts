/** Two machines of one core that train runs together, case after case: one that a case has lost is started again. */
import { expect } from "vitest";
import { z } from "zod";
import { pause } from "../../../platform/src/database/pause.ts";
import { ask } from "./client.ts";
import type { WorkerProcess } from "./platform.ts";
import type { TrainedRuns } from "./TrainedRuns.ts";

/** A run that two machines are at. */
export interface Begun {
  readonly run: string;
  /** The one that drives it. Logs are those since the run began. */
  readonly driver: WorkerProcess;
  readonly node: WorkerProcess;
}

export class Machines {
  readonly #runs: TrainedRuns;
  /** One that shares the server's data directory, and one that asks it over HTTP. */
  readonly #machines: (WorkerProcess | null)[] = [null, null];
  #key: string | null = null;

  constructor(runs: TrainedRuns) {
    this.#runs = runs;
  }

  /** Both, those that were lost started again. Their logs begin now. */
  async both(): Promise<readonly [WorkerProcess, WorkerProcess]> {
    this.#key ??= await this.#runs.platform.key("worker");
    return [this.#at(0), this.#at(1, this.#key)];
  }

  /** Submits a run, and holds it until two machines are at it. */
  async begun({ num_nodes = 2, whileHeld = async (_run: string): Promise<void> => {} } = {}): Promise<Begun> {
    const [a, b] = await this.both();
    const run = await this.#runs.submit({ num_nodes });
    await this.act(run, "pause");
    const isDriver = ({ log }: WorkerProcess): boolean => log().includes("claimed");
    await this.#until(run, () => isDriver(a) || isDriver(b));
    const [driver, node] = isDriver(a) ? [a, b] : [b, a];
    await this.joined(run, node);
    await whileHeld(run);
    await this.act(run, "resume");
    return { run, driver, node };
  }

  async act(run: string, action: "pause" | "resume"): Promise<void> {
    const { platform, key } = this.#runs;
    expect((await ask(platform, "POST", `/v1/runs/${run}/${action}`, { key })).status).toBe(200);
  }

  /** Resolves when a machine has a place in the run. */
  async joined(run: string, { log }: WorkerProcess): Promise<void> {
    await this.#until(run, () => new RegExp(`place \\d of run ${run}: taken`).test(log()));
  }

  /** Waits for what a run that failed would never bring about. */
  async #until(run: string, happened: () => boolean): Promise<void> {
    const { platform, key } = this.#runs;
    const answer = z.object({ state: z.string(), reason: z.string().nullable() });
    while (!happened()) {
      const { data } = await ask(platform, "GET", `/v1/runs/${run}`, { key });
      const { state, reason } = answer.parse(data);
      if (state === "failed") throw new Error(`run ${run} failed: ${reason}`);
      await pause(50);
    }
  }

  #at(index: number, key?: string): WorkerProcess {
    const { platform } = this.#runs;
    const there = this.#machines[index];
    const lives = there && there.process.exitCode === null && there.process.signalCode === null;
    const { process, log } = lives ? there : platform.worker(key, { threads: 1 });
    this.#machines[index] = { process, log };
    const before = log().length;
    return { process, log: () => log().slice(before) };
  }
}

/** Turns that a machine has trained in its places. */
export const turnsOf = ({ log }: WorkerProcess): number =>
  [...log().matchAll(/left after (\d+) turns/g)].reduce((sum, [, turns]) => sum + Number(turns), 0);
