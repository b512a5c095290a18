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
}

/** Perturbs far, and not at all at the end of a run. */
const SCHEDULED = { sigma: 1, sigma_schedule: "linear" } as const;

/** An agent with random weights; its identity is its seed. */
export function agentFile(
  index: number,
  { algorithm = "DQN", environment = "CartPole-v1", generation = 0, fitness = null }: AgentFileOptions = {},
): AgentFile {
  const { observation_space, action_space } = findEnvironment(environment);
  const agent = agentOf(
    { name: algorithm, ...(algorithm === "ES" && SCHEDULED) },
    { observation_space, action_space, index, seed: index },
  );
  const bytes = new Uint8Array(encodeAgent(agent, { observation_space, action_space, environment }));
  return { bytes, environment, env_config: null, module: null, generation, index, fitness };
}
