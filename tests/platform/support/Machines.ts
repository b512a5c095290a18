/** Two single-core machines that train runs together, shared by all cases. A lost machine is restarted. */
import { expect } from "vitest";
import { z } from "zod";
import { pause } from "../../../src/http/waiting.ts";
import { ask } from "./client.ts";
import type { WorkerProcess } from "./platform.ts";
import type { TrainedRuns } from "./TrainedRuns.ts";

/** A run that two machines work on. */
export interface Begun {
  readonly run: string;
  /** The machine that drives the run. Logs start with the run. */
  readonly driver: WorkerProcess;
  readonly node: WorkerProcess;
}

export class Machines {
  readonly #runs: TrainedRuns;
  /** One machine shares the server's data directory, and the other uses HTTP. */
  readonly #machines: (WorkerProcess | null)[] = [null, null];
  #key: string | null = null;

  constructor(runs: TrainedRuns) {
    this.#runs = runs;
  }

  /** Returns both machines, after restarting lost ones. Their logs start now. */
  async both(): Promise<readonly [WorkerProcess, WorkerProcess]> {
    this.#key ??= await this.#runs.platform.key("worker");
    return [this.#at(0), this.#at(1, this.#key)];
  }

  /** Submits a run, and pauses it until two machines work on it. */
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

  /** Waits for a condition, and throws if the run fails first. */
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
    const { process, log } = lives ? there : platform.worker(key);
    this.#machines[index] = { process, log };
    const before = log().length;
    return { process, log: () => log().slice(before) };
  }
}

/** Number of turns that a machine has trained in its places. */
export const turnsOf = ({ log }: WorkerProcess): number =>
  [...log().matchAll(/left after (\d+) turns/g)].reduce((sum, [, turns]) => sum + Number(turns), 0);
