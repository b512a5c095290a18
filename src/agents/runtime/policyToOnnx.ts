import { toOnnx } from "../../kernels/devices.ts";
import { SYMBOLS, teamOf } from "../../rl/contract.ts";
import { type PolicyOptions, policyProgram, spacesOfKey } from "../../rl/programs.ts";
import { type AgentSpaces, normalizedRuns, spaceToJson } from "../../rl/spaces.ts";
import { VERSION } from "../../specs/messages.ts";
import { type AgentState, mapStatistics } from "../member/agentState.ts";
import { agentContents } from "./agentBuffers.ts";
import { bindAgent } from "./programInputs.ts";
import { structureOf } from "./programSet.ts";

export interface OnnxOptions extends PolicyOptions {
  /** Id of the environment that it was trained in, if known; stored in the model's metadata. */
  readonly environment?: string | null;
}

export type PolicyFacts = AgentSpaces & OnnxOptions;

/**
 * The agent with the statistics of a key's observations alone.
 * @throws RangeError for a group of several agents, each of which has statistics of its own.
 */
function alone(agent: AgentState, layout: AgentSpaces, key: string): AgentState {
  const { normalization } = agent;
  if (!normalization?.observations) return agent;
  const mates = teamOf(layout).find((one) => one.key === key)?.agents ?? [];
  const [mate] = mates;
  if (mates.length > 1)
    throw new RangeError(
      `agent: found "${key}", whose agents (${mates.map(({ id }) => id).join(", ")}) normalise observations by statistics of their own; export the whole team (agent: null)`,
    );
  const runs = normalizedRuns(layout.observation_space).filter((run) => run.agent === mate?.index);
  const start = runs[0]?.at ?? 0;
  const end = runs.reduce((most, { at, size }) => Math.max(most, at + size), start);
  const own = mapStatistics(normalization, (values, of) =>
    of === "observations" ? values.slice(start, end) : values,
  );
  return { ...agent, normalization: own };
}

/**
 * An agent's greedy policy as an ONNX model (operator set 18). All values are f32, except actions of integer
 * Boxes and of spaces other than Box, which are i32. `batch` is the only dynamic dimension.
 *
 * - Inputs: `observation` [batch, ...shape of the space], or `observation.<key>` for each part of a Dict or
 *   Tuple, as the environment returns them. A recurrent policy also has `h0`, `c0`, ... [batch, width], the
 *   hidden and cell state of each layer: zeros at the start of an episode, else `next_h0`, `next_c0`, ... of
 *   the previous step. With `mask`, also `action_mask` [batch, choices]: 1 for legal choices, as in
 *   `info.action_mask` of environments. The masks of several choices are concatenated; for bits, 0 means that
 *   the bit must not be 1.
 * - Outputs: `action` [batch, ...], as the environment takes it: the best legal action (without `mask`, every
 *   choice is legal). Also, over all choices, `q_values` [batch, actions] (DQN, CQN, RainbowDQN:
 *   expected returns). PPO has `logits` instead (those of several choices concatenated), or `mean` and `log_std`
 *   [batch, numbers] before any squashing and scaling.
 * - Metadata: `algorithm`, `environment` ("" if not known), `observation_space` and `action_space` as JSON.
 *
 * For several agents, one model contains all of them: inputs `observation.<agent>` and `action_mask.<agent>`,
 * outputs `action.<agent>` and the outputs that it was chosen from (such as `logits.<agent>`). With `agent`,
 * the key of some networks (a group or an agent), it contains those alone under the plain names, like a
 * single agent's policy, and has `agent` in its metadata.
 *
 * An agent's normalisation is part of the model: it reads observations as the environment returns them.
 *
 * @throws RangeError for a mask when the actions are not choices, for an agent that has no networks, and for a group
 *   whose agents normalise observations each by its own statistics.
 */
export function policyToOnnx(
  agent: AgentState,
  { environment, mask = false, agent: key = null, ...layout }: PolicyFacts,
): Uint8Array<ArrayBuffer> {
  const structure = structureOf(agent);
  const spaces = key === null ? layout : spacesOfKey(structure, layout, key);
  return toOnnx(policyProgram(structure, layout, { mask, agent: key }), {
    free: [SYMBOLS.batch],
    binding: bindAgent(agent, { num_envs: 1, batch: 1 }),
    parameters: agentContents(key === null ? agent : alone(agent, layout, key)),
    version: VERSION,
    metadata: {
      algorithm: agent.algorithm,
      environment: environment ?? "",
      ...(key === null ? {} : { agent: key }),
      observation_space: JSON.stringify(spaceToJson(spaces.observation_space)),
      action_space: JSON.stringify(spaceToJson(spaces.action_space)),
    },
  });
}
