/** Agents of a run that nobody trained, as files for stages. */
import { findEnvironment } from "../../../src/rl/environments.ts";
import { encodeAgent } from "../../../src/training/files.ts";
import type { AgentFile } from "../../../src/workers/protocol.ts";
import { agentOf } from "../../rl/support/agents.ts";

export interface AgentFileOptions {
  readonly algorithm?: "DQN" | "ES" | "PPO";
  readonly environment?: string;
  readonly generation?: number;
  readonly fitness?: number | null;
  /** Default: a small one, which images do not fit. */
  readonly network?: unknown;
}

/** Perturbs far, and not at all at the end of a run. */
const SCHEDULED = { sigma: 1, sigma_schedule: "linear" } as const;

/** A small network for the board of a game, whose cells it takes as numbers. */
export const BOARD_NETWORK = {
  arch: "mlp",
  latent_dim: 16,
  encoder_config: { hidden_size: [16] },
  head_config: { hidden_size: [16] },
} as const;

/** An agent with random weights; its identity is its seed. */
export function agentFile(
  index: number,
  {
    algorithm = "DQN",
    environment = "CartPole-v1",
    generation = 0,
    fitness = null,
    ...rest
  }: AgentFileOptions = {},
): AgentFile {
  const { observation_space, action_space } = findEnvironment(environment);
  const spaces = { observation_space, action_space };
  const agent = agentOf(
    { name: algorithm, ...(algorithm === "ES" && SCHEDULED) },
    { ...spaces, ...rest, index, seed: index },
  );
  const bytes = new Uint8Array(encodeAgent(agent, { observation_space, action_space, environment }));
  return { bytes, environment, env_config: null, module: null, generation, index, fitness };
}
