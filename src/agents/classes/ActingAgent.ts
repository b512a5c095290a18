/**
 * Agents that run programs on this thread: they act, are tested, and are saved to files. Common to single
 * agents and teams.
 */

import type { HyperparameterConfig } from "../../evolution/index.ts";
import { withFitness } from "../../evolution/members.ts";
import { deviceOf, type WasmDevice } from "../../kernels/devices.ts";
import { findEnvironment, isCompiled, makeVector, vectorOf } from "../../rl/environments.ts";
import type { HostEnvironment, ParallelEnvironment, VectorEnvironment } from "../../rl/faces.ts";
import { describeSpace, hostLayout, type Space } from "../../rl/spaces.ts";
import type { AgentState } from "../member/agentState.ts";
import { type OnnxOptions, policyToOnnx } from "../runtime/policyToOnnx.ts";
import { drain, PURPOSE } from "../runtime/turn.ts";
import { type Evaluation, requireFitness } from "../runtime/turnResult.ts";
import { AgentSession } from "../runtime/wasm/AgentSession.ts";
import { environmentSeed, evaluateOnHost } from "../runtime/wasm/hostLanes.ts";
import { ActingRows } from "./ActingRows.ts";
import { type AgentContext, type AgentOptions, type RestoredAgentOptions, stateOf } from "./agentOptions.ts";
import { agentStore, type StoredAgent } from "./agentStore.ts";
import { type CompiledTest, type MatchOptions, opponentsIn, testCompiled } from "./compiledTest.ts";
import { RLAlgorithm } from "./RLAlgorithm.ts";

export interface TestOptions extends MatchOptions {
  /** Number of evaluations, whose mean is the fitness (default: 1). */
  readonly loop?: number;
  /**
   * Limit of steps per episode. `null` means only the environment's `max_episode_steps` applies, or 100,000
   * steps if it has none.
   */
  readonly max_steps?: number | null;
  /**
   * Seed of the environments. By default it is derived from the agent's seed and the number of evaluations so
   * far, so each call sees different episodes.
   */
  readonly seed?: number;
  /** Number of parallel environments, if the environment is given by name (default: 1). */
  readonly num_envs?: number;
  /** For teams: whether the fitness is the sum or the mean over the agents (default: true, the sum). */
  readonly sum_scores?: boolean;
}

/**
 * An environment to test an agent in: a single one, a vector environment, or the name of a registered one.
 */
export type TestEnvironment = HostEnvironment | ParallelEnvironment | VectorEnvironment | string;

/**
 * Base class of agents that hold their networks, both single agents and teams.
 *
 * @example
 * ```ts
 * const agent: ActingAgent = await loadAgent("elite.safetensors");
 * console.log(agent.observation_space.kind === "Agents"); // whether it plays several
 * ```
 */
export abstract class ActingAgent extends RLAlgorithm {
  readonly observation_space: Space;
  readonly action_space: Space;
  readonly hp_config: HyperparameterConfig | null;
  readonly device: WasmDevice;
  readonly seed: number;
  /** Runs the agent's programs; used by the runtime. */
  readonly session: AgentSession;
  protected readonly rows: ActingRows;

  protected constructor(algorithm: string, options: AgentOptions<object>) {
    super();
    const { device = "cpu", seed = 42 } = options;
    const { state, hp_config, layout } = stateOf(algorithm, options);
    const { observation_space, action_space } = layout;
    this.observation_space = observation_space;
    this.action_space = action_space;
    this.hp_config = hp_config;
    this.device = deviceOf(device);
    this.seed = seed;
    this.session = new AgentSession(this.device, hostLayout(layout), state, seed);
    this.rows = new ActingRows(this.session);
  }

  get state(): AgentState {
    return this.session.state;
  }

  set state(state: AgentState) {
    this.session.state = state;
  }

  override clone(index?: number): this {
    // All agent classes are made by `agentClass` and accept these options.
    const Agent = this.constructor as new (options: RestoredAgentOptions) => this;
    return new Agent({ ...this.context, state: this.clonedState(index) });
  }

  /** The options that a copy needs in addition to a state. */
  protected get context() {
    const { observation_space, action_space, hp_config, device, seed } = this;
    return { observation_space, action_space, hp_config, device, seed };
  }

  /**
   * Resets the recurrent state of all environments, or of those whose episode ended (1 in `done` [num_envs]).
   */
  resetHiddenState(_done?: ArrayLike<number>): void {}

  /**
   * Evaluates the agent: returns the mean return of greedy episodes and appends it to `fitness`. Every
   * environment runs one episode in each of `loop` passes, from a seeded reset.
   * @param env An environment, a vector environment, or the name of a registered one. Compiled environments
   *   run as programs; host environments must have been loaded with `loadEnvironment`.
   * @throws RangeError when its spaces are not the agent's, and for options of games that it does not allow; TypeError for
   *   a value that is not an environment;
   *   EnvironmentError for an error or an invalid result of the environment; DivergedError when the return is
   *   not finite.
   */
  test(env: TestEnvironment, options: TestOptions = {}): number {
    const { loop = 1, max_steps = null, num_envs = 1, sum_scores } = options;
    for (const [name, value] of Object.entries({ loop, num_envs, max_steps: max_steps ?? 1 })) {
      if (!Number.isInteger(value) || value < 1)
        throw new RangeError(`test ${name}: found ${value}, allowed positive integers`);
    }
    const key =
      options.seed === undefined ? ([this.seed, this.fitness.length] as const) : ([options.seed, 0] as const);
    const named = typeof env === "string" ? findEnvironment(env) : null;
    const rhythm = {
      loop,
      max_steps,
      num_envs,
      key,
      opponents: opponentsIn(named, options),
      ...(sum_scores === undefined ? {} : { sum_scores }),
    };
    const { fitness, agent_fitness } =
      typeof env === "string" ? this.#testNamed(env, rhythm) : this.#testOnHost(env, rhythm);
    const { state } = this;
    this.state = {
      ...state,
      fitness: withFitness(state.fitness, requireFitness(fitness, this.index)),
      ...(agent_fitness && { agent_fitness }),
    };
    return fitness;
  }

  /**
   * Writes the agent to a file: on disk in Node, in the origin's storage in a browser. ".safetensors" is
   * appended to a path without that extension, and replaces ".pt"; `load` accepts the same path.
   */
  async save(path: string): Promise<void> {
    const { state, observation_space, action_space } = this;
    await agentStore().save({ state, observation_space, action_space }, path);
  }

  /**
   * The greedy policy as an ONNX model for other runtimes; {@link policyToOnnx} describes its inputs and
   * outputs.
   * @throws RangeError for a mask when the actions are not choices.
   */
  toOnnx(options: OnnxOptions = {}): Uint8Array<ArrayBuffer> {
    const { state, observation_space, action_space } = this;
    return policyToOnnx(state, { ...options, observation_space, action_space });
  }

  /**
   * Releases the device memory now; it is allocated again when needed. Garbage-collected agents release it
   * automatically.
   */
  release(): void {
    this.session.release();
  }

  #testOnHost(
    env: Exclude<TestEnvironment, string>,
    { loop, max_steps, key, sum_scores }: Omit<CompiledTest, "num_envs">,
  ): Evaluation {
    const vector = vectorOf(env);
    this.requireSpaces(vector.single_observation_space, vector.single_action_space);
    return drain(
      evaluateOnHost(this.session, vector, {
        eval_loop: loop,
        eval_steps: max_steps,
        seedOf: (pass) => environmentSeed(...key, PURPOSE.evaluate, pass),
        sum_scores,
      }),
    );
  }

  #testNamed(name: string, options: CompiledTest): Evaluation {
    const env = findEnvironment(name);
    if (isCompiled(env)) {
      this.requireSpaces(env.observation_space, env.action_space);
      return testCompiled(this, env, options);
    }
    const lanes = makeVector(name, options.num_envs);
    try {
      return this.#testOnHost(lanes, options);
    } finally {
      lanes.close();
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

/**
 * Loads an agent from a file, for `load` of the agent classes.
 * @throws Error if no agent store was provided; StorageError from the store; RangeError for an agent of
 *   another algorithm.
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
