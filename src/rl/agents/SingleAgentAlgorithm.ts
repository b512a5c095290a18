/** Agents that act for one player: observations in, actions out. */

import { withFitness } from "../../evolution/fitness.ts";
import type { HyperparameterConfig } from "../../evolution/index.ts";
import type { WasmDevice } from "../../kernels/wasm/device.ts";
import { deviceOf } from "../../kernels/wasm/sharedDevice.ts";
import {
  type CompiledEnvironment,
  findEnvironment,
  type HostEnvironment,
  isCompiled,
  makeVector,
  type VectorEnvironment,
} from "../environments/index.ts";
import { vectorOf } from "../environments/vector/vectorOf.ts";
import type { AgentState } from "../member/agentState.ts";
import type { HiddenState } from "../member/hiddenState.ts";
import { requireFitness } from "../runtime/divergence.ts";
import { type OnnxOptions, policyToOnnx } from "../runtime/policyToOnnx.ts";
import { PURPOSE, type Slice } from "../runtime/turn.ts";
import { AgentSession } from "../runtime/wasm/AgentSession.ts";
import { type ActionMask, maskValues } from "../runtime/wasm/actionMasks.ts";
import { environmentSeed, evaluateOnHost } from "../runtime/wasm/hostEvaluation.ts";
import { MemberRunner } from "../runtime/wasm/MemberRunner.ts";
import type { Residence } from "../runtime/wasm/Residence.ts";
import { describeValue, isArrayLike } from "../spaces/describeValue.ts";
import { ElementCheck } from "../spaces/ElementCheck.ts";
import { describeSpace, elementSize, type Space } from "../spaces/index.ts";
import { type AgentContext, type AgentOptions, stateOf } from "./agentOptions.ts";
import { agentStore, type StoredAgent } from "./agentStore.ts";
import { RLAlgorithm } from "./RLAlgorithm.ts";

/** One observation: a number for a Discrete space, else its elements in row-major order. */
export type Observation = number | ArrayLike<number>;

export interface ActingOptions {
  /** Number of observations one after another; unset, `observation` is a single one. */
  readonly num_envs?: number;
  /**
   * 1 or true for what is legal, [choices] or [num_envs, choices]: choices of a Discrete space, those of all numbers
   * of a MultiDiscrete one side by side, the bits of a MultiBinary one that may be 1.
   */
  readonly action_mask?: ActionMask | null;
  /** False acts greedily; true unless given. */
  readonly training?: boolean;
  /** What a recurrent agent remembers, in place of what it kept; it then keeps nothing of the step. */
  readonly hidden_state?: HiddenState;
}

export interface TestOptions {
  /** Evaluations whose mean counts; 1 unless given. */
  readonly loop?: number;
  /** Cuts episodes; null lets them run to their end, at most the environment's `max_episode_steps`, or 100,000 steps. */
  readonly max_steps?: number | null;
  /**
   * Seed of the environments. Unset, it is the agent's own with the number of evaluations so far, so that
   * each call sees other episodes.
   */
  readonly seed?: number;
  /** Environments side by side when an environment is named; 1 unless given. */
  readonly num_envs?: number;
}

/** An evaluation in a registered environment. */
interface NamedTest {
  readonly loop: number;
  readonly max_steps: number | null;
  readonly num_envs: number;
  readonly key: readonly [number, number];
}

/**
 * Base of agents for one player.
 *
 * @example
 * ```ts
 * const agent: SingleAgentAlgorithm = await loadAgent("elite.safetensors");
 * const action = agent.getAction([0, 0, 0, 0], { training: false });
 * ```
 */
export abstract class SingleAgentAlgorithm extends RLAlgorithm {
  readonly observation_space: Space;
  readonly action_space: Space;
  readonly hp_config: HyperparameterConfig | null;
  readonly device: WasmDevice;
  readonly seed: number;
  /** Runs the agent's programs; for the runtime. */
  readonly session: AgentSession;
  readonly #observations: ElementCheck;

  protected constructor(algorithm: string, options: AgentOptions<object>) {
    super();
    const { observation_space, action_space, device = "cpu", seed = 42 } = options;
    const { state, hp_config } = stateOf(algorithm, options);
    this.observation_space = observation_space;
    this.action_space = action_space;
    this.hp_config = hp_config;
    this.device = deviceOf(device);
    this.seed = seed;
    this.#observations = new ElementCheck(observation_space);
    this.session = new AgentSession(this.device, { observation_space, action_space }, state, seed);
  }

  get state(): AgentState {
    return this.session.state;
  }

  set state(state: AgentState) {
    this.session.state = state;
  }

  abstract override clone(index?: number): SingleAgentAlgorithm;

  /** What a copy needs beside a state. */
  protected get context() {
    const { observation_space, action_space, hp_config, device, seed } = this;
    return { observation_space, action_space, hp_config, device, seed };
  }

  /**
   * Actions for one observation (a number, or Float32Array for a Box) or, with `num_envs`, for several
   * (Int32Array or Float32Array, one after another), as the environment takes them.
   * @throws RangeError when observation or mask do not fit, naming the number and, with `num_envs`, the lane;
   *   TypeError for an observation of another kind.
   */
  abstract getAction(observation: Observation, options?: ActingOptions): number | Float32Array | Int32Array;

  /** Forgets all environments, or those whose episode ended (1 in `done` [num_envs]); of agents with memory. */
  resetHiddenState(_done?: ArrayLike<number>): void {}

  /**
   * Mean return of greedy episodes, appended to `fitness`. Every environment runs one episode in each of
   * `loop` passes, from a seeded reset.
   * @param env An environment, a vector environment, or the name of a registered one (compiled ones run
   *   as programs; ones that JavaScript steps must have been loaded with `loadEnvironment`).
   * @throws RangeError when its spaces are not the agent's; TypeError for a value that is not an environment;
   *   EnvironmentError for what it gave or threw; DivergedError when the return is not finite.
   */
  test(env: HostEnvironment | VectorEnvironment | string, options: TestOptions = {}): number {
    const { loop = 1, max_steps = null, num_envs = 1 } = options;
    for (const [name, value] of Object.entries({ loop, num_envs, max_steps: max_steps ?? 1 })) {
      if (!Number.isInteger(value) || value < 1)
        throw new RangeError(`test ${name}: found ${value}, allowed positive integers`);
    }
    const key =
      options.seed === undefined ? ([this.seed, this.fitness.length] as const) : ([options.seed, 0] as const);
    const fitness =
      typeof env === "string"
        ? this.#testNamed(env, { loop, max_steps, num_envs, key })
        : this.#testOnHost(env, { loop, max_steps, key });
    const { state } = this;
    this.state = { ...state, fitness: withFitness(state.fitness, requireFitness(fitness, this.index)) };
    return fitness;
  }

  /**
   * Writes the agent to a file: on disk in Node, in the origin's storage in a browser. ".safetensors" is put after
   * a path without that ending, and in place of ".pt"; `load` takes the same path.
   */
  async save(path: string): Promise<void> {
    const { state, observation_space, action_space } = this;
    await agentStore().save({ state, observation_space, action_space }, path);
  }

  /**
   * The greedy policy as an ONNX model for other runtimes; {@link policyToOnnx} says what its inputs and outputs are.
   * @throws RangeError for a mask of actions that are no choice.
   */
  toOnnx({ environment = null, mask = false }: OnnxOptions = {}): Uint8Array<ArrayBuffer> {
    const { state, observation_space, action_space } = this;
    return policyToOnnx(state, { observation_space, action_space, environment, mask });
  }

  /** Gives the device's memory back now; it comes again when next needed. Dropped agents give it back by themselves. */
  release(): void {
    this.session.release();
  }

  /** Writes observations and masks for a program that acts; the number of lanes. */
  protected present(
    purpose: "act" | "greedy",
    observation: Observation,
    { num_envs, action_mask }: ActingOptions,
  ): Residence {
    const lanes = num_envs ?? 1;
    if (!Number.isInteger(lanes) || lanes < 1)
      throw new RangeError(`getAction num_envs: found ${lanes}, allowed positive integers`);
    const values = typeof observation === "number" ? [observation] : observation;
    if (!isArrayLike(values))
      throw new TypeError(
        `getAction observation: found ${describeValue(values)}, allowed ${describeSpace(this.observation_space)}`,
      );
    const length = lanes * elementSize(this.observation_space);
    if (values.length !== length) {
      const hint = num_envs === undefined ? "; for several observations give num_envs" : "";
      throw new RangeError(`getAction observation: found ${values.length} numbers, allowed ${length}${hint}`);
    }
    const fault = this.#observations.fault(values);
    if (fault) {
      const lane = num_envs === undefined ? "" : ` of lane ${fault.row}`;
      throw new RangeError(
        `getAction observation${fault.place}${lane}: found ${describeValue(fault.found)}, allowed ${fault.allowed}`,
      );
    }
    const mask = maskValues(this.action_space, lanes, action_mask);
    const residence = this.session.open([purpose], { num_envs: lanes });
    residence.arena.write("act.obs", values);
    if (mask) residence.arena.write("act.mask", mask);
    return residence;
  }

  /** Greedy actions, as `getAction` gives them. */
  protected greedyAction(
    observation: Observation,
    options: ActingOptions,
  ): number | Float32Array | Int32Array {
    const residence = this.present("greedy", observation, options);
    this.session.run("greedy");
    return this.actionOf(residence.arena.read("act.greedy") as Float32Array | Int32Array, options);
  }

  /** One action as a number where it is a single choice. */
  protected actionOf(
    actions: Float32Array | Int32Array,
    { num_envs }: ActingOptions,
  ): number | Float32Array | Int32Array {
    return num_envs === undefined && this.action_space.kind === "Discrete" ? (actions[0] as number) : actions;
  }

  #testOnHost(
    env: HostEnvironment | VectorEnvironment,
    { loop, max_steps, key }: { loop: number; max_steps: number | null; key: readonly number[] },
  ): number {
    const vector = vectorOf(env);
    this.requireSpaces(vector.single_observation_space, vector.single_action_space);
    return drain(
      evaluateOnHost(this.session, vector, {
        eval_loop: loop,
        eval_steps: max_steps,
        seedOf: (pass) => environmentSeed(...key, PURPOSE.evaluate, pass),
      }),
    ).fitness;
  }

  #testNamed(name: string, options: NamedTest): number {
    const env = findEnvironment(name);
    if (isCompiled(env)) return this.#testCompiled(env, options);
    const lanes = makeVector(name, options.num_envs);
    try {
      return this.#testOnHost(lanes, options);
    } finally {
      lanes.close();
    }
  }

  #testCompiled(env: CompiledEnvironment, options: NamedTest): number {
    this.requireSpaces(env.observation_space, env.action_space);
    const runner = new MemberRunner(this.device, env, null);
    const [seed, generation] = options.key;
    const { num_envs, loop: eval_loop, max_steps: eval_steps } = options;
    const turn = {
      slot: 0,
      generation,
      seed,
      num_envs,
      evo_steps: 0,
      eval_loop,
      eval_steps,
      off_policy: null,
    };
    try {
      return drain(runner.evaluate(this.state, turn));
    } finally {
      runner.release();
    }
  }

  /** @throws RangeError naming the space that differs. */
  protected requireSpaces(observation_space: Space, action_space: Space): void {
    for (const [name, found, own] of [
      ["observation_space", observation_space, this.observation_space],
      ["action_space", action_space, this.action_space],
    ] as const) {
      const [a, b] = [describeSpace(found), describeSpace(own)];
      if (a !== b) throw new RangeError(`environment.${name}: found ${a}, this agent has ${b}`);
    }
  }
}

/** The value that work in slices ends with. */
function drain<T>(work: Generator<Slice, T>): T {
  for (;;) {
    const next = work.next();
    if (next.done) return next.value;
  }
}

/**
 * An agent from a file, for `load` of the classes.
 * @throws Error where nothing stores agents; StorageError of the store; RangeError for another algorithm.
 */
export async function loadStored(
  path: string,
  context: Partial<AgentContext>,
  algorithm?: string,
): Promise<StoredAgent> {
  const stored = await agentStore().load(path, context);
  if (algorithm !== undefined && stored.state.algorithm !== algorithm)
    throw new RangeError(
      `${path}: found a ${stored.state.algorithm} agent, allowed ${algorithm}; load it as one`,
    );
  return stored;
}
