/** The buffers and programs of a run on wasm, in one thread. */

import {
  type AgentState,
  agePrograms,
  DeviceReplay,
  evaluatedResult,
  type FittedEstimate,
  FittedQ,
  MasksFound,
  observationWords,
  type Slice,
  type Turn,
  type TurnResult,
  vectorSteps,
} from "../../agents/members.ts";
import { type KernelReport, WasmDevice } from "../../kernels/devices.ts";
import type { RunSetup, TurnRunner, Written } from "./kinds.ts";
import type { MemberSource, MemberTurns } from "./memberSource.ts";

/** A result whose fitness is the estimated one. What the environment gave, if there is one, is a metric. */
function judgedByData(
  { agent, fitness: measured, ...rest }: TurnResult,
  { evaluates, eval_loop }: Turn,
  { evaluation: estimated, metrics }: FittedEstimate,
): TurnResult {
  const { fitness, episodes } = estimated;
  return {
    ...rest,
    agent: evaluates ? agent : { ...agent, fitness: [...agent.fitness.slice(0, -1), fitness] },
    fitness,
    evaluation: episodes,
    metrics: { ...rest.metrics, ...metrics, ...(eval_loop > 0 && { mean_return: measured }) },
  };
}

export class MemberTurnRunner implements TurnRunner {
  readonly device = new WasmDevice();
  readonly #source: MemberSource;
  #replay: DeviceReplay | null;
  readonly #population: number;
  /** One set of buffers that all members use in turn; separate ones would fragment the memory. */
  #runner: MemberTurns;
  readonly #fitted: FittedQ | null;
  #generation = 0;

  private constructor({ replay, written }: Pick<RunSetup, "replay" | "written">, source: MemberSource) {
    this.#source = source;
    this.#population = replay?.population ?? 1;
    this.#replay = replay
      ? new DeviceReplay(
          this.device,
          source.layout,
          replay.population,
          replay.segment,
          replay.kind,
          replay.demonstrations,
        )
      : null;
    this.#runner = source.runner(this.device, this.#replay);
    this.#fitted =
      this.#replay && replay?.held
        ? new FittedQ(this.device, source.layout, this.#replay, replay.held)
        : null;
    this.hear(written);
  }

  /**
   * Resolves when the replay buffer has been filled from the setup.
   * @throws DatasetError from the setup's `data`.
   */
  static async open(
    setup: Pick<RunSetup, "replay" | "written" | "data">,
    source: MemberSource,
  ): Promise<MemberTurnRunner> {
    const turnRunner = new MemberTurnRunner(setup, source);
    try {
      for await (const part of setup.data?.() ?? []) turnRunner.hear([part]);
      return turnRunner;
    } catch (error) {
      turnRunner.close();
      throw error;
    }
  }

  /** Writes transitions to the segments of their owners. */
  hear(written: readonly Written[]): void {
    for (const { slot, start, count, rows } of written) {
      const own = this.#replay?.width("obs") ?? Number.POSITIVE_INFINITY;
      if (count > 0 && observationWords(rows) > own) this.#keepMasks();
      this.#replay?.write(slot, start, count, rows);
    }
  }

  /** Replaces the replay buffer by one that stores masks. */
  #keepMasks(): void {
    const [before, population] = [this.#replay, this.#population];
    if (!before || before.kind.masked) return;
    const { segment, kind, demonstrations } = before;
    const masked = { ...kind, masked: true as const };
    this.#runner.release();
    const { layout } = this.#source;
    this.#replay = new DeviceReplay(this.device, layout, population, segment, masked, demonstrations);
    for (let slot = 0; slot <= population; slot++) {
      const rows = slot < population ? segment : demonstrations;
      this.#replay.write(slot, 0, rows, before.read(slot, 0, rows));
    }
    before.release();
    this.#runner = this.#source.runner(this.device, this.#replay);
  }

  *turn(agent: AgentState, turn: Turn): Generator<Slice, TurnResult> {
    const result = yield* this.#taken(agent, turn);
    if (!turn.fqe) return result;
    if (!this.#fitted) throw new Error("fitted Q evaluation needs held-out episodes");
    return judgedByData(result, turn, yield* this.#fitted.estimate(result.agent, turn));
  }

  *#taken(agent: AgentState, turn: Turn): Generator<Slice, TurnResult> {
    if (turn.generation !== this.#generation) {
      this.#generation = turn.generation;
      this.device.age();
      agePrograms();
    }
    if (turn.evaluates) return evaluatedResult(agent, turn, yield* this.#runner.evaluate(agent, turn));
    let before = this.#coming(turn);
    try {
      const result = yield* this.#runner.turn(agent, turn);
      before = null;
      return result;
    } catch (error) {
      if (!(error instanceof MasksFound)) throw error;
      if (before) this.hear([before]);
      this.#keepMasks();
      yield error.takenBack;
      const result = yield* this.#runner.turn(agent, turn);
      before = null;
      return result;
    } finally {
      if (before) this.hear([before]);
    }
  }

  /** A copy of the rows that a turn will overwrite in its segment. */
  #coming({ slot, evo_steps, num_envs, off_policy }: Turn): Written | null {
    if (!this.#replay || !off_policy || off_policy.offline) return null;
    const start = off_policy.ring.position;
    const count = Math.min(vectorSteps(evo_steps, num_envs) * num_envs, this.#replay.segment);
    return { slot, start, count, rows: this.#replay.read(slot, start, count) };
  }

  kernels(): readonly KernelReport[] {
    return this.device.kernels();
  }

  close(): void {
    this.#fitted?.release();
    this.#runner.release();
    this.#replay?.release();
    this.device.close();
  }
}
