/** Agents for tests, which are small by default. */

import { type AgentState, createAgent } from "../../../src/agents/members.ts";
import { type AlgoSpecInput, NetworkSection, parseAlgorithm } from "../../../src/manifests/index.ts";
import type { Normalization } from "../../../src/rl/programs.ts";
import { Box, Discrete, type Space } from "../../../src/rl/spaces.ts";

export const SMALL_NETWORK = {
  latent_dim: 8,
  encoder_config: { hidden_size: [16] },
  head_config: { hidden_size: [16] },
} as const;

/** Observations and rewards normalised. */
export const NORMALIZED: Normalization = {
  observations: true,
  rewards: true,
  clip_observations: 10,
  clip_rewards: 10,
  epsilon: 1e-8,
  reward_scale: 1,
  reward_clip: null,
};

export interface TestAgentOptions {
  readonly observation_space?: Space;
  readonly action_space?: Space;
  readonly network?: unknown;
  readonly normalization?: Normalization;
  readonly index?: number;
  readonly seed?: number;
}

export const agentOf = (spec: AlgoSpecInput, options: TestAgentOptions = {}): AgentState => {
  const {
    observation_space = new Box({ low: -1, high: 1, shape: [4] }),
    action_space = new Discrete(2),
    network = SMALL_NETWORK,
    ...rest
  } = options;
  return createAgent({
    spec: parseAlgorithm(spec),
    observation_space,
    action_space,
    network: NetworkSection.parse(network),
    ...rest,
  });
};
