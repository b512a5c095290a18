/** Gymnasium's methods over dynamics that JavaScript steps: episodes, time limits, checks and frames. */
import { entropySeed, Random, requireSeed } from "../../../evolution/random.ts";
import type { Space } from "../../spaces.ts";
import { type DrawEnvironment, drawingOf, type RenderTarget } from "../drawing/drawing.ts";
import { actionValues } from "./action.ts";
import type {
  Action,
  HostEnvironment,
  Info,
  RenderFrame,
  ResetOptions,
  ResetResult,
  StepResult,
} from "./HostEnvironment.ts";
import type { NamedEnvironment } from "./ParallelEnvironment.ts";

/** The random numbers that dynamics draw. */
export type Draws = Pick<Random, "uniform" | "integer">;

/** What one step of {@link Dynamics} leads to. */
export interface Moved {
  readonly observation: ArrayLike<number>;
  readonly reward: number;
  readonly terminated: boolean;
  /** Default: none. */
  readonly info?: Info;
}

/** What an environment does, without episodes and checks, which {@link EpisodicEnvironment} adds. */
export interface Dynamics {
  readonly observation_space: Space;
  readonly action_space: Space;
  /** How many numbers a state has. */
  readonly state_size: number;
  readonly draw: DrawEnvironment;
  /** Starts an episode. @returns its first observation. */
  begin(random: Random): ArrayLike<number>;
  /** What a reset tells beside the observation (default: nothing). */
  info?(): Info;
  /** Takes one step; a state is there. @param action Numbers of the action space, possibly out of its bounds. */
  step(action: readonly number[], random: Random): Moved;
  /** The state; null before the first episode. */
  getState(): Float32Array | Float64Array | null;
  /** @param values `state_size` finite numbers. */
  setState(values: readonly number[]): void;
  /** With goals: the rewards of steps, as environments have them. */
  readonly compute_reward?: HostEnvironment["compute_reward"];
  /** The whole state, to the bit: plain data. Dynamics without it repeat an episode from its seed and its actions. */
  save?(): unknown;
  /** @param state What `save` gave. */
  load?(state: unknown): void;
  /** Frees what the garbage collector does not know of. */
  close?(): void;
}

/** What is saved of an episode. */
interface SavedEpisode {
  readonly dynamics: unknown;
  readonly phase: Phase;
  readonly elapsed: number;
  readonly last_action: number | null;
  /** Seed of the random numbers, and how far they are. */
  readonly random: { readonly seed: number; readonly place: Random["place"] } | null;
}

type Phase = "not reset" | "running" | "terminated" | "truncated" | "closed";

/** An environment with Gymnasium's methods, made from its dynamics. */
export class EpisodicEnvironment implements NamedEnvironment {
  readonly observation_space: Space;
  readonly action_space: Space;
  readonly spec: NamedEnvironment["spec"];
  readonly save?: () => unknown;
  readonly load?: (state: unknown) => void;
  readonly compute_reward?: HostEnvironment["compute_reward"];
  #dynamics: Dynamics | null;
  #random: Random | null = null;
  /** Of the random numbers. */
  #seed = 0;
  #elapsed = 0;
  #phase: Phase = "not reset";
  #lastAction: number | null = null;

  constructor(spec: NamedEnvironment["spec"], dynamics: Dynamics) {
    this.spec = spec;
    this.observation_space = dynamics.observation_space;
    this.action_space = dynamics.action_space;
    this.#dynamics = dynamics;
    if (dynamics.compute_reward) this.compute_reward = dynamics.compute_reward;
    if (!dynamics.save) return;
    this.save = () => this.#save();
    this.load = (state) => this.#load(state);
  }

  /**
   * Starts an episode. The same seed gives the same episode, and the same episodes after it.
   *
   * @throws RangeError when the seed is not an integer from 0 to 2^53 - 1, or `options` has fields.
   */
  reset({ seed, options }: ResetOptions = {}): ResetResult<Float32Array> {
    const dynamics = this.#requireOpen();
    const { id } = this.spec;
    const [unknown] = Object.keys(options ?? {});
    if (unknown !== undefined) {
      throw new RangeError(
        `${id}: reset.options.${unknown} is unknown, none are allowed; give the environment's options to make`,
      );
    }
    if (seed !== undefined) this.#sow(requireSeed(seed));
    const observation = Float32Array.from(dynamics.begin(this.#draws()));
    this.#begin();
    return { observation, info: dynamics.info?.() ?? {} };
  }

  /**
   * Takes one step of the current episode.
   *
   * @throws RangeError when the action is not in the action space (numbers out of a Box's bounds are allowed; the
   * dynamics limit them).
   * @throws UnstablePhysics when the dynamics give numbers that are not finite.
   * @throws Error before the first reset, and after the episode has ended.
   */
  step(action: Action): StepResult<Float32Array> {
    const dynamics = this.#requireOpen();
    const { id, max_episode_steps } = this.spec;
    if (this.#phase === "not reset")
      throw new Error(`${id}: step() was called before reset(); call reset() first`);
    if (this.#phase !== "running")
      throw new Error(`${id}: the episode has ended (${this.#phase}); call reset() to start another`);
    const values = actionValues(this.action_space, action, `${id}: action`);
    const { observation, reward, terminated, info = {} } = dynamics.step(values, this.#draws());
    this.#lastAction = values[0] ?? null;
    this.#elapsed++;
    const truncated = this.#elapsed >= max_episode_steps;
    if (terminated || truncated) this.#phase = terminated ? "terminated" : "truncated";
    return { observation: Float32Array.from(observation), reward, terminated, truncated, info };
  }

  /** Returns the state in the dynamics' own layout; zeros before the first reset. */
  getState(): Float32Array | Float64Array {
    const dynamics = this.#requireOpen();
    return dynamics.getState() ?? new Float32Array(dynamics.state_size);
  }

  /**
   * Sets the environment's state. A running episode continues with its step count; if none is running, an
   * episode begins.
   *
   * @throws RangeError when the state has the wrong length or a value is not finite.
   */
  setState(state: ArrayLike<number>): void {
    const dynamics = this.#requireOpen();
    const values = Array.from(state);
    const { state_size } = dynamics;
    if (values.length !== state_size || !values.every(Number.isFinite)) {
      throw new RangeError(
        `${this.spec.id}: state: found [${values.join(", ")}], allowed ${state_size} finite numbers (as getState gives them)`,
      );
    }
    dynamics.setState(values);
    if (this.#phase !== "running") this.#begin();
  }

  /** Returns a frame of the current state: plain data that can be sent to the thread that draws. */
  render(): RenderFrame;
  /** Draws the current state. */
  render(target: RenderTarget): void;
  render(target?: RenderTarget): RenderFrame | undefined {
    const { draw } = this.#requireOpen();
    const { id } = this.spec;
    if (this.#phase === "not reset")
      throw new Error(`${id}: render() was called before reset(); call reset() first`);
    const state = Float32Array.from(this.getState());
    const frame: RenderFrame = { id, state, action: this.#lastAction };
    if (!target) return frame;
    const { context, size, theme } = target;
    drawingOf({ id, draw })?.(context, frame.state, frame.action, size, theme);
    return undefined;
  }

  /** Releases the dynamics; the environment can no longer be used. Further calls have no effect. */
  close(): void {
    this.#phase = "closed";
    this.#dynamics?.close?.();
    this.#dynamics = null;
  }

  #begin(): void {
    this.#phase = "running";
    this.#elapsed = 0;
    this.#lastAction = null;
  }

  /** Random numbers; with a random seed if a state was set, or an episode begun, without any seed before. */
  #draws(): Random {
    return this.#random ?? this.#sow(entropySeed());
  }

  #sow(seed: number): Random {
    this.#seed = seed;
    this.#random = new Random({ seed, stream: "environment" });
    return this.#random;
  }

  #save(): SavedEpisode {
    return {
      dynamics: this.#requireOpen().save?.(),
      phase: this.#phase,
      elapsed: this.#elapsed,
      last_action: this.#lastAction,
      random: this.#random && { seed: this.#seed, place: this.#random.place },
    };
  }

  #load(state: unknown): void {
    // What `save` gave.
    const { dynamics, phase, elapsed, last_action, random } = state as SavedEpisode;
    this.#requireOpen().load?.(dynamics);
    this.#phase = phase;
    this.#elapsed = elapsed;
    this.#lastAction = last_action;
    if (random) this.#sow(random.seed).goOn(random.place);
    else this.#random = null;
  }

  #requireOpen(): Dynamics {
    if (this.#dynamics) return this.#dynamics;
    throw new Error(`${this.spec.id}: the environment is closed; make another`);
  }
}
