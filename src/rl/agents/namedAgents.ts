/**
 * Agent types with named exports in the library; those of other algorithms are derived from their
 * definitions.
 */
import type { TrainedName, TrainedNamed } from "../algorithms/registry.ts";
import type { AgentOf } from "./agentClass.ts";

type Of<N extends TrainedName> = AgentOf<TrainedNamed<N>>;

// Interfaces, so that `instanceof` narrows correctly in both branches.
export interface DQN extends Of<"DQN"> {}
export interface RainbowDQN extends Of<"RainbowDQN"> {}
export interface CQN extends Of<"CQN"> {}
export interface DDPG extends Of<"DDPG"> {}
export interface TD3 extends Of<"TD3"> {}
export interface SAC extends Of<"SAC"> {}
export interface PPO extends Of<"PPO"> {}
export interface NeuralUCB extends Of<"NeuralUCB"> {}
export interface NeuralTS extends Of<"NeuralTS"> {}
export interface MADDPG extends Of<"MADDPG"> {}
export interface MATD3 extends Of<"MATD3"> {}
export interface IPPO extends Of<"IPPO"> {}

/** Agent types by name of the algorithm. */
export interface NamedAgents {
  readonly DQN: DQN;
  readonly RainbowDQN: RainbowDQN;
  readonly CQN: CQN;
  readonly DDPG: DDPG;
  readonly TD3: TD3;
  readonly SAC: SAC;
  readonly PPO: PPO;
  readonly NeuralUCB: NeuralUCB;
  readonly NeuralTS: NeuralTS;
  readonly MADDPG: MADDPG;
  readonly MATD3: MATD3;
  readonly IPPO: IPPO;
}
