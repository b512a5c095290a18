/** The classes of agents by their own names; {@link agentClasses} has every algorithm's. */
import { type AgentOptionsNamed, agentClasses } from "./agentClasses.ts";
import type { NamedAgents } from "./namedAgents.ts";

/** An agent of deep Q-learning (Mnih et al. 2015), for Discrete actions. */
export const DQN = agentClasses.DQN;
export type DQN = NamedAgents["DQN"];
export type DQNOptions = AgentOptionsNamed<"DQN">;

/** An agent of Rainbow (Hessel et al. 2018), for Discrete actions. It explores by the noise of its weights. */
export const RainbowDQN = agentClasses.RainbowDQN;
export type RainbowDQN = NamedAgents["RainbowDQN"];
export type RainbowDQNOptions = AgentOptionsNamed<"RainbowDQN">;

/** An agent of deep deterministic policy gradients (Lillicrap et al. 2016), for Box actions. */
export const DDPG = agentClasses.DDPG;
export type DDPG = NamedAgents["DDPG"];
export type DDPGOptions = AgentOptionsNamed<"DDPG">;

/** An agent of twin delayed deterministic policy gradients (Fujimoto et al. 2018), for Box actions. */
export const TD3 = agentClasses.TD3;
export type TD3 = NamedAgents["TD3"];
export type TD3Options = AgentOptionsNamed<"TD3">;

/**
 * An agent of proximal policy optimisation (Schulman et al. 2017), for Discrete, MultiDiscrete, MultiBinary and Box
 * actions. A recurrent one (`recurrent: true`) remembers each environment from one call to the next, until
 * `resetHiddenState`.
 */
export const PPO = agentClasses.PPO;
export type PPO = NamedAgents["PPO"];
export type PPOOptions = AgentOptionsNamed<"PPO">;
