/** Runs members one after another in the calling thread, yielding to events between slices. */
import type { KernelReport } from "../../kernels/kernelReport.ts";
import { WasmDevice } from "../../kernels/wasm/device.ts";
import { DivergedError } from "../../rl/runtime/divergence.ts";
import { agePrograms } from "../../rl/runtime/programSet.ts";
import { type Slice, type Turn, vectorSteps } from "../../rl/runtime/turn.ts";
import { DeviceReplay } from "../../rl/runtime/wasm/DeviceReplay.ts";
import { reasonOf } from "../../storage/storageError.ts";
import {
  type Executor,
  Gate,
  type MemberTurn,
  namingMember,
  type RunSetup,
  StoppedError,
  type TurnOutcome,
  type Written,
} from "../loop/executor.ts";
import { type MemberSource, registeredMembers, type TurnRunner } from "./memberSource.ts";

/** The buffers and programs of a run in one thread. */
export class MemberBench {
  readonly device = new WasmDevice();
  readonly #replay: DeviceReplay | null;
  readonly #population: number;
  /** One set of buffers for all members, one after another: what lies between them would be lost to fragments. */
  readonly #runner: TurnRunner;
  #generation = 0;

  constructor({ replay, written }: RunSetup, source: MemberSource) {
    this.#population = replay?.population ?? 1;
    this.#replay = replay
      ? new DeviceReplay(this.device, source.layout, replay.population, replay.segment, replay.kind)
      : null;
    this.#runner = source.runner(this.device, this.#replay);
    this.store(written);
  }

  /** Puts transitions where their owners have them. */
  store(written: readonly Written[]): void {
    for (const { slot, start, count, rows } of written)
      this.#replay?.write(slot, this.#population, start, count, rows);
  }

  /** One turn, passing the gate after each slice. A turn that fails leaves the replay memory as it was. */
  async turn({ agent, turn }: MemberTurn, gate: Gate, onSlice: (slice: Slice) => void): Promise<TurnOutcome> {
    if (turn.generation !== this.#generation) {
      this.#generation = turn.generation;
      this.device.age();
      agePrograms();
    }
    const before = this.#coming(turn);
    try {
      const work = this.#runner.turn(agent, turn);
      for (;;) {
        const next = work.next();
        if (next.done) return { ok: true, result: next.value };
        onSlice(next.value);
        await gate.pass();
      }
    } catch (error) {
      if (before) this.store([before]);
      if (error instanceof StoppedError) throw error;
      const diverged = error instanceof DivergedError;
      return { ok: false, slot: turn.slot, message: reasonOf(error), diverged, cause: error };
    }
  }

  /** The rows of its segment that a turn will write over, as they stand. */
  #coming({ slot, evo_steps, num_envs, off_policy }: Turn): Written | null {
    if (!this.#replay || !off_policy) return null;
    const start = off_policy.ring.position;
    const count = Math.min(vectorSteps(evo_steps, num_envs) * num_envs, this.#replay.segment);
    return { slot, start, count, rows: this.#replay.read(slot, this.#population, start, count) };
  }

  close(): void {
    this.#runner.release();
    this.#replay?.release();
    this.device.close();
  }
}

export class InThreadExecutor implements Executor {
  readonly device = "wasm";
  readonly label = "WASM SIMD, this thread";
  readonly #gate = new Gate();
  readonly #source: MemberSource | undefined;
  #bench: MemberBench | null = null;

  /** @param source Members in environments of the caller's; in the registered one of the run unless given. */
  constructor(source?: MemberSource) {
    this.#source = source;
  }

  async open(setup: RunSetup): Promise<void> {
    this.#bench?.close();
    this.#bench = new MemberBench(
      setup,
      this.#source ?? (await registeredMembers(setup.environment, setup.env_config)),
    );
  }

  async generation(
    turns: readonly MemberTurn[],
    _written: readonly Written[],
    onSlice: (slice: Slice) => void,
  ): Promise<readonly TurnOutcome[]> {
    const bench = this.#bench;
    if (!bench) throw new Error("executor: generation() before open()");
    this.#gate.reset();
    const outcomes: TurnOutcome[] = [];
    for (const turn of turns) outcomes.push(namingMember(await bench.turn(turn, this.#gate, onSlice)));
    return outcomes;
  }

  pause(): void {
    this.#gate.pause();
  }

  resume(): void {
    this.#gate.resume();
  }

  abort(): void {
    this.#gate.abort();
  }

  async kernels(): Promise<readonly KernelReport[]> {
    return this.#bench?.device.kernels() ?? [];
  }

  async close(): Promise<void> {
    this.#bench?.close();
    this.#bench = null;
  }
}
