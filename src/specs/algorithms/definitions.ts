/**
 * The algorithms that the specs support. A new one needs a file next to DQNSpec.ts and a line in the list and
 * in its type.
 */
import { CQN_DEFINITION } from "./CQNSpec.ts";
import { DDPG_DEFINITION } from "./DDPGSpec.ts";
import { DPO_DEFINITION, SFT_DEFINITION } from "./DPOSpec.ts";
import { DQN_DEFINITION } from "./DQNSpec.ts";
import { CISPO_DEFINITION, GRPO_DEFINITION, GSPO_DEFINITION } from "./GRPOSpec.ts";
import { IPPO_DEFINITION } from "./IPPOSpec.ts";
import { LLMPPO_DEFINITION, LLMREINFORCE_DEFINITION } from "./LLMPPOSpec.ts";
import { MADDPG_DEFINITION, MATD3_DEFINITION } from "./MADDPGSpec.ts";
import { NEURAL_TS_DEFINITION, NEURAL_UCB_DEFINITION } from "./NeuralBanditSpec.ts";
import { PPO_DEFINITION } from "./PPOSpec.ts";
import { RAINBOW_DQN_DEFINITION } from "./RainbowDQNSpec.ts";
import { SAC_DEFINITION } from "./SACSpec.ts";
import { TD3_DEFINITION } from "./TD3Spec.ts";

/** Listed one by one: otherwise, every consumer's compiler would process each definition a second time. */
type Algorithms = readonly [
  typeof DQN_DEFINITION,
  typeof RAINBOW_DQN_DEFINITION,
  typeof DDPG_DEFINITION,
  typeof TD3_DEFINITION,
  typeof PPO_DEFINITION,
  typeof SAC_DEFINITION,
  typeof CQN_DEFINITION,
  typeof MADDPG_DEFINITION,
  typeof MATD3_DEFINITION,
  typeof IPPO_DEFINITION,
  typeof NEURAL_UCB_DEFINITION,
  typeof NEURAL_TS_DEFINITION,
  typeof LLMPPO_DEFINITION,
  typeof LLMREINFORCE_DEFINITION,
  typeof GRPO_DEFINITION,
  typeof GSPO_DEFINITION,
  typeof CISPO_DEFINITION,
  typeof DPO_DEFINITION,
  typeof SFT_DEFINITION,
];

export const ALGORITHMS: Algorithms = [
  DQN_DEFINITION,
  RAINBOW_DQN_DEFINITION,
  DDPG_DEFINITION,
  TD3_DEFINITION,
  PPO_DEFINITION,
  SAC_DEFINITION,
  CQN_DEFINITION,
  MADDPG_DEFINITION,
  MATD3_DEFINITION,
  IPPO_DEFINITION,
  NEURAL_UCB_DEFINITION,
  NEURAL_TS_DEFINITION,
  LLMPPO_DEFINITION,
  LLMREINFORCE_DEFINITION,
  GRPO_DEFINITION,
  GSPO_DEFINITION,
  CISPO_DEFINITION,
  DPO_DEFINITION,
  SFT_DEFINITION,
];
