/** A compiled multi-agent environment that is stepped from the host. */

import type { Agents, SingleAgentSpace } from "../../spaces.ts";
import type { CompiledEnvironment } from "../definition/compiledEnvironment.ts";
import type { RenderTarget } from "../drawing/drawing.ts";
import { agentActionValues } from "../face/action.ts";
import type { Action, Info, RenderFrame, ResetOptions } from "../face/HostEnvironment.ts";
import type {
  ByAgent,
  NamedParallelEnvironment,
  ParallelResetResult,
  ParallelStepResult,
} from "../face/ParallelEnvironment.ts";
import { CompiledLane } from "./CompiledLane.ts";
import type { PrepareProgram } from "./hostPrograms.ts";

/** One lane of a compiled multi-agent environment, with its time limit. Created by `make`. */
export class CompiledParallelEnvironment implements NamedParallelEnvironment {
  readonly possible_agents: readonly string[];
  readonly observation_spaces: ByAgent<SingleAgentSpace>;
  readonly action_spaces: ByAgent<SingleAgentSpace>;
  readonly spec: NamedParallelEnvironment["spec"];
  readonly #observations: Agents;
  readonly #actions: Agents;
  readonly #lane: CompiledLane;

  /** @throws TypeError when the environment has only one agent. */
  constructor(compiled: CompiledEnvironment, prepare: PrepareProgram) {
    const { id, observation_space, action_space } = compiled;
    if (observation_space.kind !== "Agents" || action_space.kind !== "Agents")
      throw new TypeError(`${id}: found an environment of one agent, allowed spaces of kind Agents`);
    this.possible_agents = observation_space.ids;
    this.observation_spaces = observation_space.spaces;
    this.action_spaces = action_space.spaces;
    this.#observations = observation_space;
    this.#actions = action_space;
    this.#lane = new CompiledLane(compiled, prepare);
    this.spec = this.#lane.spec;
  }

  /** Ids of the agents whose task has not ended, in order; empty when no episode is running. */
  get agents(): readonly string[] {
    const { gone, isRunning } = this.#lane;
    return isRunning ? this.possible_agents.filter((_, i) => gone[i] === 0) : [];
  }

  /**
   * Starts an episode with all agents. The same seed gives the same initial states, for this reset and later
   * ones.
   *
   * @throws RangeError when the seed is not an integer from 0 to 2^53 - 1, or `options` has fields.
   */
  reset(options: ResetOptions = {}): ParallelResetResult<Float32Array> {
    const { observation, info } = this.#lane.reset(options);
    const present = this.agents;
    return { observations: this.#split(observation, present), infos: infosOf(info, present) };
  }

  /**
   * Takes one step. The episode ends when the task of every agent has ended, or at the time limit.
   *
   * @param actions One action for each agent in `agents`.
   * @throws TypeError or RangeError naming the agent whose action is missing, unexpected or not in its action
   * space   (out-of-bounds Box actions are allowed and clipped).
   * @throws Error before the first reset, and after the episode has ended.
   */
  step(actions: ByAgent<Action>): ParallelStepResult<Float32Array> {
    this.#lane.requireRunning();
    const present = this.agents;
    const values = agentActionValues(this.#actions, actions, present, `${this.spec.id}: actions`);
    const { observation, reward, truncated, info } = this.#lane.step(values);
    const at = (id: string): number => this.possible_agents.indexOf(id);
    return {
      observations: this.#split(observation, present),
      rewards: byAgent(present, (id) => reward[at(id)] as number),
      terminations: byAgent(present, (id) => this.#lane.gone[at(id)] === 1),
      truncations: byAgent(present, () => truncated),
      infos: infosOf(info, present),
    };
  }

  /** Returns a copy of the state, in the order of the environment's variables. */
  getState(): Float32Array {
    return this.#lane.getState();
  }

  /**
   * Sets the environment's state. A running episode continues with its step count, without the agents that
   * have left it. If no episode is running (before a reset, or after an end), an episode with all agents
   * begins.
   *
   * @throws RangeError when the state has the wrong length or a value is not finite.
   */
  setState(state: ArrayLike<number>): void {
    this.#lane.setState(state);
  }

  /** Returns a frame of the current state: plain data that can be sent to the thread that draws. */
  render(): RenderFrame;
  /** Draws the current state. @throws Error when the environment has no drawing. */
  render(target: RenderTarget): void;
  render(target?: RenderTarget): RenderFrame | undefined {
    const frame = this.#lane.render(target);
    return target ? undefined : frame;
  }

  /** Releases the programs' memory; the environment can no longer be used. Further calls have no effect. */
  close(): void {
    this.#lane.close();
  }

  #split(observation: Float32Array, ids: readonly string[]): Record<string, Float32Array> {
    const parts = this.#observations.agents.filter(({ id }) => ids.includes(id));
    return Object.fromEntries(
      parts.map(({ id, start, size }) => [id, observation.slice(start, start + size)]),
    );
  }
}

const infosOf = (info: Info, ids: readonly string[]): Record<string, Info> =>
  byAgent(ids, (id) => (info[id] ?? {}) as Info);

const byAgent = <Value>(ids: readonly string[], of: (id: string) => Value): Record<string, Value> =>
  Object.fromEntries(ids.map((id) => [id, of(id)]));
