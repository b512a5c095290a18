/** A compiled environment of several agents stepped one by one from the host. */

import type { Agents, SingleAgentSpace } from "../../spaces/index.ts";
import type { CompiledEnvironment } from "../definition/compiledEnvironment.ts";
import type { RenderTarget } from "../drawing/drawing.ts";
import { agentActionValues } from "../face/action.ts";
import type { Action, ResetOptions } from "../face/HostEnvironment.ts";
import type { NamedParallelEnvironment } from "../face/NamedParallelEnvironment.ts";
import type { ByAgent, ParallelResetResult, ParallelStepResult } from "../face/ParallelEnvironment.ts";
import type { RenderFrame } from "../face/RenderFrame.ts";
import { CompiledLane } from "./CompiledLane.ts";
import type { PrepareProgram } from "./runProgram.ts";

/** One lane of a compiled environment of several agents, with its time limit. Made by `make`. */
export class CompiledParallelEnvironment implements NamedParallelEnvironment {
  readonly possible_agents: readonly string[];
  readonly observation_spaces: ByAgent<SingleAgentSpace>;
  readonly action_spaces: ByAgent<SingleAgentSpace>;
  readonly spec: NamedParallelEnvironment["spec"];
  readonly #observations: Agents;
  readonly #actions: Agents;
  readonly #lane: CompiledLane;

  /** @throws TypeError for an environment of one agent. */
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

  /** Those whose task goes on, in order; none where no episode is under way. */
  get agents(): readonly string[] {
    const { gone, isRunning } = this.#lane;
    return isRunning ? this.possible_agents.filter((_, i) => gone[i] === 0) : [];
  }

  /**
   * Starts an episode of all agents. With the same seed, this and the resets after it give the same first states.
   *
   * @throws RangeError for a seed that is no integer from 0 to 2^53 - 1, and for any of `options`.
   */
  reset(options: ResetOptions = {}): ParallelResetResult<Float32Array> {
    const observation = this.#lane.reset(options);
    return { observations: this.#split(observation, this.agents), infos: byAgent(this.agents, () => ({})) };
  }

  /**
   * One step of the episode under way. It ends when the task of every agent has ended, or at the time limit.
   *
   * @param actions An action of each agent in `agents`.
   * @throws TypeError or RangeError naming the agent whose action is missing, is not expected or is not one of its action
   *   space (Box actions out of bounds pass and are clipped).
   * @throws Error before the first reset, and once the episode has ended.
   */
  step(actions: ByAgent<Action>): ParallelStepResult<Float32Array> {
    this.#lane.requireRunning();
    const present = this.agents;
    const values = agentActionValues(this.#actions, actions, present, `${this.spec.id}: actions`);
    const { observation, reward, truncated } = this.#lane.step(values);
    const at = (id: string): number => this.possible_agents.indexOf(id);
    return {
      observations: this.#split(observation, present),
      rewards: byAgent(present, (id) => reward[at(id)] as number),
      terminations: byAgent(present, (id) => this.#lane.gone[at(id)] === 1),
      truncations: byAgent(present, () => truncated),
      infos: byAgent(present, () => ({})),
    };
  }

  /** A copy of the state, in the order of the environment's variables. */
  getState(): Float32Array {
    return this.#lane.getState();
  }

  /**
   * Puts the environment into a state. The episode under way goes on, its steps counted as before, without the agents
   * that have left it; where none is (before a reset, or after an end), one of all agents begins.
   *
   * @throws RangeError when the number of values differs or one is not finite.
   */
  setState(state: ArrayLike<number>): void {
    this.#lane.setState(state);
  }

  /** What to draw now: plain data that can be sent to the thread that draws. */
  render(): RenderFrame;
  /** Draws the present state. @throws Error when the environment has no drawing. */
  render(target: RenderTarget): void;
  render(target?: RenderTarget): RenderFrame | undefined {
    const frame = this.#lane.render(target);
    return target ? undefined : frame;
  }

  /** Releases the programs' memory; the environment can no longer be used. Closing twice is harmless. */
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

const byAgent = <Value>(ids: readonly string[], of: (id: string) => Value): Record<string, Value> =>
  Object.fromEntries(ids.map((id) => [id, of(id)]));
