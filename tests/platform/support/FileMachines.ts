/** Simulates the machines of a run in this thread. They exchange all data as artifacts. */
import { type Part, stillHeld } from "../../../platform/src/nodes/files/history.ts";
import { TurnFiles } from "../../../platform/src/nodes/files/TurnFiles.ts";
import { type TurnThreads, TurnTrainer } from "../../../platform/src/nodes/TurnTrainer.ts";
import type { TurnJob } from "../../../platform/src/nodes/turnJob.ts";
import { StorageError, sha256Hex } from "../../../src/storage/index.ts";
import { Gate, runTurn, type TurnRunner } from "../../../src/training/loop.ts";
import {
  type Executor,
  type MemberTurn,
  type RlKinds,
  type RunSetup,
  reinforcementLearning,
  type TurnOutcome,
  type Written,
} from "../../../src/training/workloads.ts";

/** An artifact store in memory. */
export function memoryArtifacts() {
  const kept = new Map<string, Uint8Array>();
  return {
    kept,
    put: async (bytes: Uint8Array): Promise<string> => {
      const sha256 = await sha256Hex(bytes);
      kept.set(sha256, bytes);
      return sha256;
    },
    get: async (sha256: string): Promise<Uint8Array> => {
      const bytes = kept.get(sha256);
      if (!bytes) throw new StorageError("not_found", sha256, "is not among the artifacts");
      return bytes;
    },
  };
}

/** One machine: a turn runner in this thread, and its turn trainer. */
export interface FileMachine {
  readonly turnRunner: TurnRunner<RlKinds>;
  readonly trainer: TurnTrainer;
  readonly files: TurnFiles;
}

export class FileMachines implements Executor {
  readonly device = "wasm";
  readonly label = "machines in this thread";
  readonly store = memoryArtifacts();
  readonly files = this.#newFiles();
  readonly machines: FileMachine[] = [];
  /** Turn jobs of each generation. */
  readonly jobs: (readonly TurnJob[])[] = [];
  readonly #count: number;
  #setup = "";
  #segment = 0;
  #parts: readonly Part[] = [];

  constructor(count: number) {
    this.#count = count;
  }

  async open(setup: RunSetup): Promise<void> {
    this.#setup = await this.files.putSetup(setup);
    this.#segment = setup.replay?.segment ?? 0;
    for (let i = 0; i < this.#count; i++) await this.join();
  }

  /** Adds a machine, which knows only the setup at first. */
  async join(): Promise<FileMachine> {
    const files = this.#newFiles();
    const turnRunner = await reinforcementLearning.turnRunner(await files.setup(this.#setup));
    const gate = new Gate();
    const threads: TurnThreads = {
      hear: (written) => turnRunner.hear(written),
      turn: (turn, onSlice) => runTurn(turnRunner, turn, gate, onSlice),
    };
    const machine = { turnRunner, files, trainer: new TurnTrainer(files, threads) };
    this.machines.push(machine);
    return machine;
  }

  /** Assigns turns to the machines in rotation. The number of machines changes by one in each generation. */
  async generation(turns: readonly MemberTurn[], news: readonly Written[]): Promise<readonly TurnOutcome[]> {
    const generation = turns[0]?.turn.generation ?? 0;
    const fresh = await Promise.all(news.map((part) => this.files.putWritten(part, generation - 1)));
    this.#parts = stillHeld([...this.#parts, ...fresh], this.#segment);
    const history = await this.files.putHistory(this.#parts);
    const jobs: TurnJob[] = [];
    for (const turn of turns)
      jobs.push({ generation, slot: turn.turn.slot, turn: await this.files.putTurn(turn), history });
    this.jobs.push(jobs);
    const outcomes: TurnOutcome[] = [];
    for (const [i, job] of jobs.entries()) {
      const machine = this.machines[(i + generation) % this.machines.length];
      if (!machine) throw new Error("there are no machines");
      const { outcome } = await machine.trainer.train(job, () => undefined);
      outcomes.push(await this.files.outcome(outcome));
    }
    return outcomes;
  }

  kernels = async () => [];

  async close(): Promise<void> {
    for (const { turnRunner } of this.machines) turnRunner.close();
  }

  #newFiles(): TurnFiles {
    return new TurnFiles({ store: this.store, agents: reinforcementLearning.files });
  }
}
