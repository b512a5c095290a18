/** Agents on small models, and what they learn from. */
import {
  CISPO,
  DPO,
  GRPO,
  GSPO,
  KTO,
  LanguageModel,
  LLMPPO,
  LLMREINFORCE,
  type LLMRolloutAlgorithm,
  type RolloutExperiences,
  SFT,
} from "../../../src/llm/index.ts";

export const digits = (): Promise<LanguageModel> => LanguageModel.load("rlkit/tiny-digits");

/** Small steps would hide in rounding. */
const FAST = { update_epochs: 2, batch_size: 2 };

/** An agent of each algorithm; by an adapter where `lora_config` is given, else whole. */
export const AGENTS = {
  GRPO: (actor_network: LanguageModel, own: object = {}) =>
    new GRPO({ actor_network, ...FAST, lr: 1e-3, group_size: 2, max_output_tokens: 3, ...own }),
  GSPO: (actor_network: LanguageModel, own: object = {}) =>
    new GSPO({ actor_network, ...FAST, lr: 1e-3, group_size: 2, max_output_tokens: 3, ...own }),
  CISPO: (actor_network: LanguageModel, own: object = {}) =>
    new CISPO({ actor_network, ...FAST, lr: 1e-3, group_size: 2, beta: 0, max_output_tokens: 3, ...own }),
  LLMPPO: (actor_network: LanguageModel, own: object = {}) =>
    new LLMPPO({ actor_network, ...FAST, lr_actor: 1e-3, lr_critic: 1e-2, max_output_tokens: 3, ...own }),
  LLMREINFORCE: (actor_network: LanguageModel, own: object = {}) =>
    new LLMREINFORCE({ actor_network, ...FAST, lr: 1e-3, max_output_tokens: 3, ...own }),
  DPO: (actor_network: LanguageModel, own: object = {}) =>
    new DPO({ actor_network, ...FAST, lr: 1e-3, ...own }),
  KTO: (actor_network: LanguageModel, own: object = {}) =>
    new KTO({ actor_network, ...FAST, lr: 1e-3, ...own }),
  SFT: (actor_network: LanguageModel, own: object = {}) =>
    new SFT({ actor_network, ...FAST, lr: 1e-3, ...own }),
} as const;

export type AgentName = keyof typeof AGENTS;

export const ROLLOUT_NAMES = ["GRPO", "GSPO", "CISPO", "LLMPPO", "LLMREINFORCE"] as const;
export const ALL_NAMES = [...ROLLOUT_NAMES, "DPO", "KTO", "SFT"] as const;

/** Adapters, or all weights. */
export const TUNINGS = [
  ["by an adapter", { lora_config: { lora_r: 4 } }],
  ["whole", {}],
] as const;

export const PROMPTS: readonly (readonly number[])[] = [[0, 1], [0, 1], [2], [2]];
const REWARDS = [1, 0, 0.25, 0.75];

const MASKS = {
  attention_mask: [
    [1, 1, 1, 1],
    [1, 1, 1, 0],
  ],
};
const RESPONSES = {
  input_ids: [
    [0, 1, 2, 3],
    [4, 1, 6, 5],
  ],
  ...MASKS,
  prompt_lengths: [2, 1],
};
const PAIRS = {
  chosen_input_ids: RESPONSES.input_ids,
  chosen_attention_mask: MASKS.attention_mask,
  rejected_input_ids: [
    [0, 1, 4, 4],
    [4, 2, 6, 5],
  ],
  rejected_attention_mask: MASKS.attention_mask,
  prompt_lengths: [2, 1],
};

/** What an agent drew for the prompts, with rewards; the log-probabilities are those of drawing. */
export async function played(agent: LLMRolloutAlgorithm): Promise<RolloutExperiences> {
  const { completion_ids, action_masks, sampling_log_probs } = await agent.getAction(PROMPTS);
  const length = Math.max(...completion_ids.map((ids) => ids.length));
  const filled = (values: ArrayLike<number>, size: number, fill: number): number[] => [
    ...Array.from(values),
    ...Array<number>(size - values.length).fill(fill),
  ];
  return {
    input_ids: completion_ids.map((ids) => filled(ids, length, 5)),
    attention_mask: completion_ids.map((ids) =>
      filled(
        ids.map(() => 1),
        length,
        0,
      ),
    ),
    action_mask: action_masks.map((mask) => filled(mask, length - 1, 0)),
    rewards: REWARDS,
    old_log_probs: sampling_log_probs.map((own, row) => {
      const before = Array<number>((PROMPTS[row]?.length ?? 1) - 1).fill(0);
      return filled([...before, ...own], length - 1, 0);
    }),
  };
}

/** A batch of the kind that the agent learns from. */
export async function batchFor(agent: ReturnType<(typeof AGENTS)[AgentName]>) {
  if (agent.algo === "DPO") return PAIRS;
  if (agent.algo === "KTO") return { ...RESPONSES, labels: [1, 0] };
  return agent.algo === "SFT" ? RESPONSES : played(agent);
}

/** Learns from such a batch. */
export async function learnOnce(agent: ReturnType<(typeof AGENTS)[AgentName]>) {
  const batch = await batchFor(agent);
  // The batch is of the agent's own kind.
  return agent.learn(batch as never);
}
