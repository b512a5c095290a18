/** The built-in algorithms. To add one, create a file next to DQN.ts and add it to both lists. */

import { ALPHAZERO_DEFINITION, AlphaZero } from "./AlphaZero.ts";
import { AWAC, AWAC_DEFINITION } from "./AWAC.ts";
import { BC, BC_DEFINITION } from "./BC.ts";
import { CQL, CQL_DEFINITION } from "./CQL.ts";
import { CQN, CQN_DEFINITION } from "./CQN.ts";
import { DDPG, DDPG_DEFINITION } from "./DDPG.ts";
import { DQN, DQN_DEFINITION } from "./DQN.ts";
import { ES, ES_DEFINITION } from "./ES.ts";
import { IPPO, IPPO_DEFINITION } from "./IPPO.ts";
import { IQL, IQL_DEFINITION } from "./IQL.ts";
import { MADDPG, MADDPG_DEFINITION } from "./MADDPG.ts";
import { MATD3, MATD3_DEFINITION } from "./MATD3.ts";
import { NEURAL_TS_DEFINITION, NeuralTS } from "./NeuralTS.ts";
import { NEURAL_UCB_DEFINITION, NeuralUCB } from "./NeuralUCB.ts";
import { PPO, PPO_DEFINITION } from "./PPO.ts";
import { RAINBOW_DQN_DEFINITION, RainbowDQN } from "./RainbowDQN.ts";
import { SAC, SAC_DEFINITION } from "./SAC.ts";
import { TD3, TD3_DEFINITION } from "./TD3.ts";
import { TD3BC, TD3BC_DEFINITION } from "./TD3BC.ts";

export * from "./AlphaZero.ts";
export * from "./AWAC.ts";
export * from "./BC.ts";
export * from "./CQL.ts";
export * from "./CQN.ts";
export * from "./DDPG.ts";
export * from "./DQN.ts";
export * from "./ES.ts";
export * from "./IPPO.ts";
export * from "./IQL.ts";
export * from "./MADDPG.ts";
export * from "./MATD3.ts";
export * from "./NeuralTS.ts";
export * from "./NeuralUCB.ts";
export * from "./PPO.ts";
export * from "./RainbowDQN.ts";
export * from "./SAC.ts";
export * from "./TD3.ts";
export * from "./TD3BC.ts";

/** What the specs know of them, in the order of lists and messages. */
export const RL_DEFINITIONS: readonly [
  typeof DQN_DEFINITION,
  typeof RAINBOW_DQN_DEFINITION,
  typeof DDPG_DEFINITION,
  typeof TD3_DEFINITION,
  typeof PPO_DEFINITION,
  typeof SAC_DEFINITION,
  typeof ES_DEFINITION,
  typeof ALPHAZERO_DEFINITION,
  typeof CQN_DEFINITION,
  typeof BC_DEFINITION,
  typeof TD3BC_DEFINITION,
  typeof IQL_DEFINITION,
  typeof AWAC_DEFINITION,
  typeof CQL_DEFINITION,
  typeof MADDPG_DEFINITION,
  typeof MATD3_DEFINITION,
  typeof IPPO_DEFINITION,
  typeof NEURAL_UCB_DEFINITION,
  typeof NEURAL_TS_DEFINITION,
] = [
  DQN_DEFINITION,
  RAINBOW_DQN_DEFINITION,
  DDPG_DEFINITION,
  TD3_DEFINITION,
  PPO_DEFINITION,
  SAC_DEFINITION,
  ES_DEFINITION,
  ALPHAZERO_DEFINITION,
  CQN_DEFINITION,
  BC_DEFINITION,
  TD3BC_DEFINITION,
  IQL_DEFINITION,
  AWAC_DEFINITION,
  CQL_DEFINITION,
  MADDPG_DEFINITION,
  MATD3_DEFINITION,
  IPPO_DEFINITION,
  NEURAL_UCB_DEFINITION,
  NEURAL_TS_DEFINITION,
];

/** Their mathematics. */
export const ALGORITHMS = [
  DQN,
  RainbowDQN,
  DDPG,
  TD3,
  PPO,
  SAC,
  ES,
  AlphaZero,
  CQN,
  BC,
  TD3BC,
  IQL,
  AWAC,
  CQL,
  MADDPG,
  MATD3,
  IPPO,
  NeuralUCB,
  NeuralTS,
] as const;
