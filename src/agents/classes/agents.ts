/** The agent classes of this build, one per algorithm; {@link agentClasses} has them by name. */
import * as algorithms from "../../rl/definitions.ts";
import { type AgentClass, type AgentOf, agentClass, type OptionsOf } from "./agentClass.ts";

// The types are interfaces, so that `instanceof` narrows correctly in both branches.

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
export const DQN: AgentClass<typeof algorithms.DQN, DQN> = /* @__PURE__ */ agentClass(algorithms.DQN);
export interface DQN extends AgentOf<typeof algorithms.DQN> {}
export type DQNOptions = OptionsOf<typeof algorithms.DQN>;

/**
 * An agent of Rainbow (Hessel et al. 2018), for Discrete actions. It explores with noisy weights.
 *
 * @example
 * ```ts
 * const { observation_space, action_space } = make("CartPole-v1");
 * const agent = new RainbowDQN({ observation_space, action_space, num_atoms: 51, v_min: 0, v_max: 200 });
 * ```
 */
export const RainbowDQN: AgentClass<typeof algorithms.RainbowDQN, RainbowDQN> = /* @__PURE__ */ agentClass(
  algorithms.RainbowDQN,
);
export interface RainbowDQN extends AgentOf<typeof algorithms.RainbowDQN> {}
export type RainbowDQNOptions = OptionsOf<typeof algorithms.RainbowDQN>;

/**
 * An agent of conservative Q-learning (Kumar et al. 2020), for Discrete actions. It learns from a data set, and acts
 * greedily.
 *
 * @example
 * ```ts
 * const { observation_space, action_space } = make("CartPole-v1");
 * const agent = new CQN({ observation_space, action_space, lr: 0.001, double: true });
 * ```
 */
export const CQN: AgentClass<typeof algorithms.CQN, CQN> = /* @__PURE__ */ agentClass(algorithms.CQN);
export interface CQN extends AgentOf<typeof algorithms.CQN> {}
export type CQNOptions = OptionsOf<typeof algorithms.CQN>;

/**
 * An agent of behaviour cloning, for Discrete and Box actions. It learns from a data set, and acts greedily.
 *
 * @example
 * ```ts
 * const { observation_space, action_space } = make("CartPole-v1");
 * const agent = new BC({ observation_space, action_space, lr: 0.001 });
 * ```
 */
export const BC: AgentClass<typeof algorithms.BC, BC> = /* @__PURE__ */ agentClass(algorithms.BC);
export interface BC extends AgentOf<typeof algorithms.BC> {}
export type BCOptions = OptionsOf<typeof algorithms.BC>;

/**
 * An agent of TD3 with behaviour cloning (Fujimoto and Gu 2021), for Box actions. It learns from a data set, and acts
 * greedily.
 *
 * @example
 * ```ts
 * const { observation_space, action_space } = make("Pendulum-v1");
 * const agent = new TD3BC({ observation_space, action_space, alpha: 2.5 });
 * ```
 */
export const TD3BC: AgentClass<typeof algorithms.TD3BC, TD3BC> = /* @__PURE__ */ agentClass(algorithms.TD3BC);
export interface TD3BC extends AgentOf<typeof algorithms.TD3BC> {}
export type TD3BCOptions = OptionsOf<typeof algorithms.TD3BC>;

/**
 * An agent of implicit Q-learning (Kostrikov et al. 2022), for Discrete and Box actions. It learns from a data set, and
 * acts greedily.
 *
 * @example
 * ```ts
 * const { observation_space, action_space } = make("Pendulum-v1");
 * const agent = new IQL({ observation_space, action_space, expectile: 0.7 });
 * ```
 */
export const IQL: AgentClass<typeof algorithms.IQL, IQL> = /* @__PURE__ */ agentClass(algorithms.IQL);
export interface IQL extends AgentOf<typeof algorithms.IQL> {}
export type IQLOptions = OptionsOf<typeof algorithms.IQL>;

/**
 * An agent of advantage-weighted actor-critic (Nair et al. 2020), for Discrete and Box actions. It learns from a data
 * set, and acts greedily.
 *
 * @example
 * ```ts
 * const { observation_space, action_space } = make("Pendulum-v1");
 * const agent = new AWAC({ observation_space, action_space, lambda: 1 });
 * ```
 */
export const AWAC: AgentClass<typeof algorithms.AWAC, AWAC> = /* @__PURE__ */ agentClass(algorithms.AWAC);
export interface AWAC extends AgentOf<typeof algorithms.AWAC> {}
export type AWACOptions = OptionsOf<typeof algorithms.AWAC>;

/**
 * An agent of conservative Q-learning (Kumar et al. 2020) for Box actions. It learns from a data set, and acts greedily.
 *
 * @example
 * ```ts
 * const { observation_space, action_space } = make("Pendulum-v1");
 * const agent = new CQL({ observation_space, action_space, conservative_weight: 5 });
 * ```
 */
export const CQL: AgentClass<typeof algorithms.CQL, CQL> = /* @__PURE__ */ agentClass(algorithms.CQL);
export interface CQL extends AgentOf<typeof algorithms.CQL> {}
export type CQLOptions = OptionsOf<typeof algorithms.CQL>;

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
export const DDPG: AgentClass<typeof algorithms.DDPG, DDPG> = /* @__PURE__ */ agentClass(algorithms.DDPG);
export interface DDPG extends AgentOf<typeof algorithms.DDPG> {}
export type DDPGOptions = OptionsOf<typeof algorithms.DDPG>;

/**
 * An agent of twin delayed deterministic policy gradients (Fujimoto et al. 2018), for Box actions.
 *
 * @example
 * ```ts
 * const observation_space = new Box({ low: -1, high: 1, shape: [3] });
 * const agent = new TD3({ observation_space, action_space: new Box({ low: -2, high: 2, shape: [1] }) });
 * ```
 */
export const TD3: AgentClass<typeof algorithms.TD3, TD3> = /* @__PURE__ */ agentClass(algorithms.TD3);
export interface TD3 extends AgentOf<typeof algorithms.TD3> {}
export type TD3Options = OptionsOf<typeof algorithms.TD3>;

/**
 * An agent of soft actor-critic (Haarnoja et al. 2018), for Box actions.
 *
 * @example
 * ```ts
 * const { observation_space, action_space } = make("Pendulum-v1");
 * const agent = new SAC({ observation_space, action_space });
 * ```
 */
export const SAC: AgentClass<typeof algorithms.SAC, SAC> = /* @__PURE__ */ agentClass(algorithms.SAC);
export interface SAC extends AgentOf<typeof algorithms.SAC> {}
export type SACOptions = OptionsOf<typeof algorithms.SAC>;

/**
 * An agent of proximal policy optimisation (Schulman et al. 2017), for Discrete, MultiDiscrete, MultiBinary
 * and Box actions. A recurrent agent (`recurrent: true`) keeps the recurrent state of each environment
 * between calls, until `resetHiddenState`.
 *
 * @example
 * ```ts
 * const { observation_space, action_space } = make("CartPole-v1");
 * const agent = new PPO({ observation_space, action_space, learn_step: 256 });
 * const action = agent.getAction([0, 0, 0, 0], { training: false });
 * ```
 */
export const PPO: AgentClass<typeof algorithms.PPO, PPO> = /* @__PURE__ */ agentClass(algorithms.PPO);
export interface PPO extends AgentOf<typeof algorithms.PPO> {}
export type PPOOptions = OptionsOf<typeof algorithms.PPO>;

/**
 * An AlphaZero agent (Silver et al. 2018), for games of two players. It acts by its policy, without a search; a training
 * run searches.
 *
 * @example
 * ```ts
 * const { observation_space, action_space } = make("rlkit/TicTacToe");
 * const agent = new AlphaZero({ observation_space, action_space, simulations: 16 });
 * ```
 */
export const AlphaZero: AgentClass<typeof algorithms.AlphaZero, AlphaZero> = /* @__PURE__ */ agentClass(
  algorithms.AlphaZero,
);
export interface AlphaZero extends AgentOf<typeof algorithms.AlphaZero> {}
export type AlphaZeroOptions = OptionsOf<typeof algorithms.AlphaZero>;

/**
 * An agent of evolution strategies (Salimans et al. 2017), for Discrete, MultiDiscrete, MultiBinary and Box actions.
 *
 * @example
 * ```ts
 * const { observation_space, action_space } = make("CartPole-v1");
 * const agent = new ES({ observation_space, action_space, sigma: 0.1 });
 * const action = agent.getAction([0, 0, 0, 0]);
 * ```
 */
export const ES: AgentClass<typeof algorithms.ES, ES> = /* @__PURE__ */ agentClass(algorithms.ES);
export interface ES extends AgentOf<typeof algorithms.ES> {}
export type ESOptions = OptionsOf<typeof algorithms.ES>;

/**
 * A contextual bandit with an upper confidence bound (Zhou et al. 2020), for vector observations and Discrete
 * arms. While training, each choice updates its state; greedy choices do not.
 *
 * @example
 * ```ts
 * const observation_space = new Box({ low: 0, high: 8, shape: [4] });
 * const agent = new NeuralUCB({ observation_space, action_space: new Discrete(3), gamma: 1 });
 * const arm = agent.getAction([5.1, 3.5, 1.4, 0.2]);
 * ```
 */
export const NeuralUCB: AgentClass<typeof algorithms.NeuralUCB, NeuralUCB> = /* @__PURE__ */ agentClass(
  algorithms.NeuralUCB,
);
export interface NeuralUCB extends AgentOf<typeof algorithms.NeuralUCB> {}
export type NeuralUCBOptions = OptionsOf<typeof algorithms.NeuralUCB>;

/**
 * A contextual bandit with Thompson sampling (Zhang et al. 2021), otherwise like {@link NeuralUCB}.
 *
 * @example
 * ```ts
 * const observation_space = new Box({ low: 0, high: 8, shape: [4] });
 * const agent = new NeuralTS({ observation_space, action_space: new Discrete(3) });
 * const arm = agent.getAction([5.1, 3.5, 1.4, 0.2], { training: false });
 * ```
 */
export const NeuralTS: AgentClass<typeof algorithms.NeuralTS, NeuralTS> = /* @__PURE__ */ agentClass(
  algorithms.NeuralTS,
);
export interface NeuralTS extends AgentOf<typeof algorithms.NeuralTS> {}
export type NeuralTSOptions = OptionsOf<typeof algorithms.NeuralTS>;

/**
 * A team of agents trained by multi-agent deep deterministic policy gradients (Lowe et al. 2017), for
 * Discrete, MultiDiscrete, MultiBinary and Box actions. Give the spaces of all agents by id, or as `Agents`.
 *
 * @example
 * ```ts
 * const env = make("simple_speaker_listener_v4");
 * const { observation_spaces: observation_space, action_spaces: action_space } = env;
 * const agent = new MADDPG({ observation_space, action_space, lr_actor: 0.001 });
 * const { observations, infos } = env.reset({ seed: 1 });
 * const { rewards } = env.step(agent.getAction(observations, { infos, training: false }));
 * ```
 */
export const MADDPG: AgentClass<typeof algorithms.MADDPG, MADDPG> = /* @__PURE__ */ agentClass(
  algorithms.MADDPG,
);
export interface MADDPG extends AgentOf<typeof algorithms.MADDPG> {}
export type MADDPGOptions = OptionsOf<typeof algorithms.MADDPG>;

/**
 * A team of agents trained by multi-agent twin delayed deterministic policy gradients (Ackermann et al.
 * 2019). Give the spaces of all agents by id, or as `Agents`.
 *
 * @example
 * ```ts
 * const env = make("simple_spread_v3", { continuous_actions: true });
 * const { observation_spaces: observation_space, action_spaces: action_space } = env;
 * const agent = new MATD3({ observation_space, action_space, policy_freq: 2 });
 * const actions = agent.getAction(env.reset({ seed: 1 }).observations);
 * ```
 */
export const MATD3: AgentClass<typeof algorithms.MATD3, MATD3> = /* @__PURE__ */ agentClass(algorithms.MATD3);
export interface MATD3 extends AgentOf<typeof algorithms.MATD3> {}
export type MATD3Options = OptionsOf<typeof algorithms.MATD3>;

/**
 * A team of agents trained by independent proximal policy optimisation (de Witt et al. 2020). Give the spaces
 * of all agents by id, or as `Agents`.
 *
 * @example
 * ```ts
 * const env = make("simple_spread_v3");
 * const { observation_spaces: observation_space, action_spaces: action_space } = env;
 * const agent = new IPPO({ observation_space, action_space, learn_step: 256 });
 * const actions = agent.getAction(env.reset({ seed: 1 }).observations);
 * ```
 */
export const IPPO: AgentClass<typeof algorithms.IPPO, IPPO> = /* @__PURE__ */ agentClass(algorithms.IPPO);
export interface IPPO extends AgentOf<typeof algorithms.IPPO> {}
export type IPPOOptions = OptionsOf<typeof algorithms.IPPO>;
