/** One lane of a compiled environment, shared by the single-agent and multi-agent interfaces. */
import { entropySeed, Random, requireSeed } from "../../../evolution/random.ts";
import {
  type CompiledEnvironment,
  stateSize,
  variableBuffer,
  variableShape,
} from "../definition/compiledEnvironment.ts";
import { drawingOf, type RenderTarget } from "../drawing/drawing.ts";
import type { Info, RenderFrame, ResetOptions, ResetResult } from "../face/HostEnvironment.ts";
import type { NamedEnvironment } from "../face/ParallelEnvironment.ts";
import {
  BUFFERS,
  drawBuffer,
  maskInfos,
  type PrepareProgram,
  type RunnableProgram,
  resetProgram,
  stepDrawBuffer,
  stepProgram,
} from "./hostPrograms.ts";

/** Draws are multiples of 2^-24, which f32 represents exactly, so none rounds up to 1. */
const STEPS = 0x1000000;

/** Uniform [0, 1) numbers for the resets or steps of one lane; the same seed gives the same sequence. */
export class LaneDraws {
  readonly #size: number;
  readonly #purpose: "reset" | "step";
  #random: Random | null = null;

  /** @param size How many numbers one reset or step needs. */
  constructor(size: number, purpose: "reset" | "step") {
    this.#size = size;
    this.#purpose = purpose;
  }

  /** @throws RangeError when the seed is not an integer from 0 to 2^53 - 1. */
  seed(seed: number): void {
    this.#random = new Random({ seed: requireSeed(seed), stream: `environment.${this.#purpose}` });
  }

  /** Numbers for the next reset or step. */
  next(): Float32Array {
    if (this.#size === 0) return new Float32Array(0);
    if (!this.#random) this.seed(entropySeed());
    const random = this.#random as Random;
    return Float32Array.from({ length: this.#size }, () => random.integer(STEPS) / STEPS);
  }
}

type Phase = "not reset" | "running" | "terminated" | "truncated" | "closed";

/** The result of a step. */
interface LaneStep {
  readonly observation: Float32Array;
  /** One number per agent. */
  readonly reward: Float32Array;
  readonly truncated: boolean;
  readonly info: Info;
}

/** Runs programs, keeps the state, counts an episode's steps and tracks whose task has ended. */
export class CompiledLane {
  readonly spec: NamedEnvironment["spec"];
  readonly #compiled: CompiledEnvironment;
  readonly #draws: LaneDraws;
  readonly #stepDraws: LaneDraws;
  readonly #reset: RunnableProgram;
  readonly #step: RunnableProgram;
  readonly #gone: Uint8Array;
  #state: Float32Array;
  #elapsed = 0;
  #phase: Phase = "not reset";
  #lastAction: number | null = null;

  constructor(compiled: CompiledEnvironment, prepare: PrepareProgram) {
    const { id, max_episode_steps, reward_threshold, observation_space } = compiled;
    this.#compiled = compiled;
    this.spec = { id, max_episode_steps, reward_threshold };
    this.#draws = new LaneDraws(compiled.resetDraws, "reset");
    this.#stepDraws = new LaneDraws(compiled.stepDraws, "step");
    this.#reset = prepare(resetProgram(compiled), { num_envs: 1 });
    this.#step = prepare(stepProgram(compiled), { num_envs: 1 });
    this.#state = new Float32Array(stateSize(compiled));
    this.#gone = new Uint8Array(observation_space.kind === "Agents" ? observation_space.ids.length : 1);
  }

  /** 1 for agents whose own task has ended in this episode; one number per agent. */
  get gone(): Readonly<Uint8Array> {
    return this.#gone;
  }

  /** Whether an episode is under way. */
  get isRunning(): boolean {
    return this.#phase === "running";
  }

  /**
   * Starts an episode and returns its first observation and info.
   * @throws RangeError when the seed is invalid, or `options` has fields.
   */
  reset({ seed, options }: ResetOptions): ResetResult<Float32Array> {
    this.#requireOpen();
    const [unknown] = Object.keys(options ?? {});
    if (unknown !== undefined) {
      throw new RangeError(
        `${this.spec.id}: reset.options.${unknown} is unknown, none are allowed; call setState to choose a state`,
      );
    }
    if (seed !== undefined) for (const draws of [this.#draws, this.#stepDraws]) draws.seed(seed);
    this.#draws.next().forEach((draw, i) => this.#reset.write(drawBuffer(i), [draw]));
    this.#reset.run();
    this.#state = this.#readState(this.#reset);
    this.#begin();
    return {
      observation: Float32Array.from(this.#reset.read(BUFFERS.obs)),
      info: this.#infoOf(this.#reset),
    };
  }

  /** @throws Error unless an episode is under way. */
  requireRunning(): void {
    this.#requireOpen();
    const { id } = this.spec;
    if (this.#phase === "not reset")
      throw new Error(`${id}: step() was called before reset(); call reset() first`);
    if (this.#phase !== "running")
      throw new Error(`${id}: the episode has ended (${this.#phase}); call reset() to start another`);
  }

  /** One step with an action of the action space. Updates `gone`. */
  step(action: readonly number[]): LaneStep {
    let at = 0;
    for (const [name, size] of this.#variables()) {
      this.#step.write(variableBuffer(name), this.#state.subarray(at, at + size));
      at += size;
    }
    this.#stepDraws.next().forEach((draw, i) => this.#step.write(stepDrawBuffer(i), [draw]));
    this.#step.write(BUFFERS.action, action);
    this.#step.run();
    this.#state = this.#readState(this.#step);
    this.#lastAction = action[0] ?? null;
    this.#elapsed++;
    const ended = this.#step.read(BUFFERS.terminated);
    for (let i = 0; i < this.#gone.length; i++) if (ended[i] !== 0) this.#gone[i] = 1;
    const terminated = !this.#gone.includes(0);
    const truncated = this.#elapsed >= this.spec.max_episode_steps;
    if (terminated || truncated) this.#phase = terminated ? "terminated" : "truncated";
    return {
      observation: Float32Array.from(this.#step.read(BUFFERS.obs)),
      reward: Float32Array.from(this.#step.read(BUFFERS.reward)),
      truncated,
      info: this.#infoOf(this.#step),
    };
  }

  #infoOf(program: RunnableProgram): Info {
    return maskInfos(this.#compiled, 1, () => program.read(BUFFERS.mask))[0] ?? {};
  }

  /** Returns a copy of the state. */
  getState(): Float32Array {
    return this.#state.slice();
  }

  /** @throws RangeError when the state has the wrong length or a value is not finite. */
  setState(state: ArrayLike<number>): void {
    this.#requireOpen();
    const { variables } = this.#compiled;
    const values = Array.from(state);
    const size = stateSize(this.#compiled);
    if (values.length !== size || !values.every(Number.isFinite)) {
      throw new RangeError(
        `${this.spec.id}: state: found [${values.join(", ")}], allowed ${size} finite numbers (${variables.join(", ")})`,
      );
    }
    this.#state = Float32Array.from(values);
    if (this.#phase !== "running") this.#begin();
  }

  /**
   * Returns a frame, and draws it if a target is passed.
   * @throws Error when there is a target but the environment has no drawing.
   */
  render(target?: RenderTarget): RenderFrame {
    this.#requireOpen();
    const { id } = this.spec;
    if (this.#phase === "not reset")
      throw new Error(`${id}: render() was called before reset(); call reset() first`);
    const { options } = this.#compiled;
    const frame: RenderFrame = {
      id,
      ...(options && { options }),
      state: this.getState(),
      action: this.#lastAction,
    };
    if (!target) return frame;
    const draw = drawingOf(this.#compiled);
    if (!draw) throw new Error(`${id}: has no drawing; add one with registerDrawing`);
    draw(target.context, frame.state, frame.action, target.size, target.theme);
    return frame;
  }

  /** Releases the programs' memory. Further calls have no effect. */
  close(): void {
    if (this.#phase === "closed") return;
    this.#phase = "closed";
    this.#reset.release();
    this.#step.release();
  }

  #begin(): void {
    this.#phase = "running";
    this.#elapsed = 0;
    this.#lastAction = null;
    this.#gone.fill(0);
  }

  #readState(program: RunnableProgram): Float32Array {
    const state = new Float32Array(stateSize(this.#compiled));
    let at = 0;
    for (const [name, size] of this.#variables()) {
      state.set(program.read(variableBuffer(name)), at);
      at += size;
    }
    return state;
  }

  /** Names and sizes of the state's variables. */
  #variables(): [name: string, size: number][] {
    const { variables } = this.#compiled;
    return variables.map((name) => [name, variableShape(this.#compiled, name).reduce((a, b) => a * b, 1)]);
  }

  #requireOpen(): void {
    if (this.#phase === "closed") throw new Error(`${this.spec.id}: the environment is closed; make another`);
  }
}
