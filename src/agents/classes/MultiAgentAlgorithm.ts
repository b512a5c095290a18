/** Teams, which play several agents at once: observations by agent in, actions by agent out. */

import { requireAgents } from "../../rl/contract.ts";
import type { ByAgent } from "../../rl/faces.ts";
import { type Agents, isArrayLike } from "../../rl/spaces.ts";
import type { HiddenState } from "../member/agentState.ts";
import { ActingAgent } from "./ActingAgent.ts";
import { requireLanes } from "./ActingRows.ts";
import type { AgentOptions } from "./agentOptions.ts";
import type { SamplingOptions } from "./RolloutLearning.ts";
import type { ActingOptions, Observations } from "./SingleAgentAlgorithm.ts";
import { type AgentAction, joinMasks, joinObservations, splitActions, type TeamMasks } from "./teamRows.ts";

export interface TeamActingOptions extends TeamMasks {
  /** Number of parallel environments, with consecutive observations (default: as many as there are). */
  readonly num_envs?: number;
  /** Whether to explore or sample; false acts greedily (default: true). */
  readonly training?: boolean;
  /** As for a single agent. */
  readonly hidden_state?: HiddenState;
}

/**
 * Base class of teams, which play several agents at once.
 *
 * @example
 * ```ts
 * const env = make("simple_speaker_listener_v4");
 * const { observation_spaces: observation_space, action_spaces: action_space } = env;
 * const [agent] = createPopulation({ algorithm: "MADDPG", observation_space, action_space, population_size: 1 });
 * if (agent instanceof MultiAgentAlgorithm) env.step(agent.getAction(env.reset({ seed: 1 }).observations));
 * ```
 */
export abstract class MultiAgentAlgorithm extends ActingAgent {
  readonly #observed: Agents;
  readonly #acted: Agents;

  protected constructor(algorithm: string, options: AgentOptions<object>) {
    super(algorithm, options);
    const { observed, acted } = requireAgents(this);
    this.#observed = observed;
    this.#acted = acted;
  }

  /** Ids of the team's agents, in order. */
  get agent_ids(): readonly string[] {
    return this.#observed.ids;
  }

  /** Mean returns of the last evaluation by agent; `null` before the first. */
  get agent_fitness(): Readonly<Record<string, number>> | null {
    return this.state.agent_fitness ?? null;
  }

  /**
   * Actions, as the environment takes them, for the agents whose observations are given; those whose task has
   * ended may be left out. Observations by agent give actions by agent. Joint rows of observations, as vector
   * environments return them (`num_envs` consecutive rows), give joint rows of actions.
   * @throws RangeError or TypeError naming the agent whose observation or mask does not fit.
   */
  getAction(observations: ByAgent<Observations>, options?: TeamActingOptions): Record<string, AgentAction>;
  getAction(rows: Observations, options?: ActingOptions): Float32Array | Int32Array;
  getAction(
    observations: ByAgent<Observations> | Observations,
    { num_envs: given, training = true, hidden_state, ...masks }: TeamActingOptions = {},
  ): Record<string, AgentAction> | Float32Array | Int32Array {
    requireLanes(given);
    const joint = isArrayLike(observations)
      ? null
      : joinObservations(this.#observed, observations as ByAgent<Observations>, given);
    const [rows, { num_envs }] = joint
      ? [joint.rows, joint]
      : this.rows.flat(observations, given === undefined ? {} : { num_envs: given });
    const options = {
      ...(num_envs === undefined ? {} : { num_envs }),
      ...(hidden_state && { hidden_state }),
      action_mask: joinMasks(this.#acted, requireLanes(num_envs), masks),
      training,
    };
    const actions = this.act(typeof rows === "number" ? [rows] : rows, options);
    return joint ? splitActions(this.#acted, actions, { present: joint.present, num_envs }) : actions;
  }

  /** Joint rows of actions for joint rows of observations. */
  protected abstract act(
    rows: ArrayLike<number>,
    options: SamplingOptions & { readonly training: boolean },
  ): Float32Array | Int32Array;
}
