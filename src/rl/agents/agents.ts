/** The classes of agents by their own names; {@link agentClasses} has every algorithm's. */
import { type AgentOptionsNamed, agentClasses } from "./agentClasses.ts";
import type { NamedAgents } from "./namedAgents.ts";

/**
 * An agent of deep Q-learning (Mnih et al. 2015), for Discrete actions.
 *
 * @example
 * ```ts
 * const { observation_space, action_space } = make("CartPole-v1");
 * const agent = new DQN({ observation_space, action_space, lr: 0.001, double: true });
 * const action = agent.getAction([0, 0, 0, 0], { training: false });
 * ```
 */
export const DQN = agentClasses.DQN;
export type DQN = NamedAgents["DQN"];
export type DQNOptions = AgentOptionsNamed<"DQN">;

/**
 * An agent of Rainbow (Hessel et al. 2018), for Discrete actions. It explores by the noise of its weights.
 *
 * @example
 * ```ts
 * const { observation_space, action_space } = make("CartPole-v1");
 * const agent = new RainbowDQN({ observation_space, action_space, num_atoms: 51, v_min: 0, v_max: 200 });
 * ```
 */
export const RainbowDQN = agentClasses.RainbowDQN;
export type RainbowDQN = NamedAgents["RainbowDQN"];
export type RainbowDQNOptions = AgentOptionsNamed<"RainbowDQN">;

/**
 * An agent of deep deterministic policy gradients (Lillicrap et al. 2016), for Box actions.
 *
 * @example
 * ```ts
 * const observation_space = new Box({ low: -1, high: 1, shape: [3] });
 * const agent = new DDPG({ observation_space, action_space: new Box({ low: -2, high: 2, shape: [1] }) });
 * const action = agent.getAction([0.1, 0.2, 0.3], { training: false });
 * ```
 */
export const DDPG = agentClasses.DDPG;
export type DDPG = NamedAgents["DDPG"];
export type DDPGOptions = AgentOptionsNamed<"DDPG">;

/**
 * An agent of twin delayed deterministic policy gradients (Fujimoto et al. 2018), for Box actions.
 *
 * @example
 * ```ts
 * const observation_space = new Box({ low: -1, high: 1, shape: [3] });
 * const agent = new TD3({ observation_space, action_space: new Box({ low: -2, high: 2, shape: [1] }) });
 * ```
 */
export const TD3 = agentClasses.TD3;
export type TD3 = NamedAgents["TD3"];
export type TD3Options = AgentOptionsNamed<"TD3">;

/**
 * An agent of proximal policy optimisation (Schulman et al. 2017), for Discrete, MultiDiscrete, MultiBinary and Box
 * actions. A recurrent one (`recurrent: true`) remembers each environment from one call to the next, until
 * `resetHiddenState`.
 *
 * @example
 * ```ts
 * const { observation_space, action_space } = make("CartPole-v1");
 * const agent = new PPO({ observation_space, action_space, learn_step: 256 });
 * const action = agent.getAction([0, 0, 0, 0], { training: false });
 * ```
 */
export const PPO = agentClasses.PPO;
export type PPO = NamedAgents["PPO"];
export type PPOOptions = AgentOptionsNamed<"PPO">;
