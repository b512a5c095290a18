import { toOnnx } from "../../kernels/onnx/toOnnx.ts";
import { VERSION } from "../../specs/version.ts";
import { SYMBOLS } from "../contract/inputs.ts";
import type { AgentState } from "../member/agentState.ts";
import { type PolicyOptions, policyProgram } from "../programs/policy.ts";
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
 * @throws RangeError for a mask of actions that are no choice.
 */
export function policyToOnnx(
  agent: AgentState,
  { environment, mask = false, ...layout }: PolicyFacts,
): Uint8Array<ArrayBuffer> {
  return toOnnx(policyProgram(structureOf(agent), layout, { mask }), {
    batch: SYMBOLS.batch,
    binding: bindAgent(agent, { num_envs: 1, batch: 1 }),
    parameters: agentContents(agent),
    version: VERSION,
    metadata: {
      algorithm: agent.algorithm,
      environment: environment ?? "",
      observation_space: JSON.stringify(spaceToJson(layout.observation_space)),
      action_space: JSON.stringify(spaceToJson(layout.action_space)),
    },
  });
}
