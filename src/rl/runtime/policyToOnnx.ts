import { toOnnx } from "../../kernels/onnx/toOnnx.ts";
import { VERSION } from "../../specs/version.ts";
import { SYMBOLS } from "../contract/inputs.ts";
import type { AgentState } from "../member/agentState.ts";
import { type PolicyOptions, policyProgram, spacesOfKey } from "../programs/policy.ts";
import type { AgentSpaces } from "../spaces/index.ts";
import { spaceToJson } from "../spaces/index.ts";
import { agentContents } from "./agentBuffers.ts";
import { structureOf } from "./programSet.ts";
import { bindAgent } from "./sizes.ts";

export interface OnnxOptions extends PolicyOptions {
  /** Id of the environment it was trained in, where that is known; kept in the model's metadata. */
  readonly environment?: string | null;
}

export type PolicyFacts = AgentSpaces & OnnxOptions;

/**
 * An agent's greedy policy as an ONNX model (operator set 18). All values are f32 but actions that are no
 * Box's, which are i32; `batch` is the only size left open.
 *
 * - Inputs: `observation` [batch, ...shape of the space], or `observation.<key>` for each part of a Dict or Tuple, as
 *   the environment gives them. Of a policy with memory also `h0`, `c0`, ... [batch, width], the hidden and cell state
 *   of each layer: zeros where an episode starts, else what the step before gave as `next_h0`, `next_c0`, ... With
 *   `mask` also `action_mask` [batch, choices]: 1 for what is legal, as environments give it in `info.action_mask` (of
 *   several choices side by side; of bits, 0 for one that may not be 1).
 * - Outputs: `action` [batch, ...], as the environment takes it, the best legal one (without `mask` every choice is);
 *   and, of every choice, `q_values` [batch, actions] (DQN, RainbowDQN: expected returns), or of PPO `logits` (of several
 *   choices side by side), or `mean` and `log_std` [batch, numbers] before any squashing.
 * - Metadata: `algorithm`, `environment` ("" where not known), `observation_space` and `action_space` as JSON.
 *
 * Of several agents one model has all of them: inputs `observation.<agent>` and `action_mask.<agent>`, outputs
 * `action.<agent>` and what it was chosen by (`logits.<agent>` of choices). With `agent`, the key of some networks (a group
 * or an agent), it has those alone under the plain names, as one agent's policy, and the metadata `agent`.
 *
 * @throws RangeError for a mask of actions that are no choice, and for an agent that has no networks.
 */
export function policyToOnnx(
  agent: AgentState,
  { environment, mask = false, agent: key = null, ...layout }: PolicyFacts,
): Uint8Array<ArrayBuffer> {
  const structure = structureOf(agent);
  const spaces = key === null ? layout : spacesOfKey(structure, layout, key);
  return toOnnx(policyProgram(structure, layout, { mask, agent: key }), {
    batch: SYMBOLS.batch,
    binding: bindAgent(agent, { num_envs: 1, batch: 1 }),
    parameters: agentContents(agent),
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
