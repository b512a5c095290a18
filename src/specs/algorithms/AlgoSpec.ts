import { z } from "zod";
import { isMapping } from "../isMapping.ts";
import { KNOWN_ALGORITHMS } from "../knownNames.ts";
import { tagged } from "../taggedUnion.ts";
import { CQN_DEFINITION, CQNSpec } from "./CQNSpec.ts";
import { DDPG_DEFINITION, DDPGSpec } from "./DDPGSpec.ts";
import { DPO_DEFINITION, DPOSpec, SFT_DEFINITION, SFTSpec } from "./DPOSpec.ts";
import { DQN_DEFINITION, DQNSpec } from "./DQNSpec.ts";
import type { AlgorithmDefinition } from "./defineAlgorithm.ts";
import {
  CISPO_DEFINITION,
  CISPOSpec,
  GRPO_DEFINITION,
  GRPOSpec,
  GSPO_DEFINITION,
  GSPOSpec,
} from "./GRPOSpec.ts";
import { IPPO_DEFINITION, IPPOSpec } from "./IPPOSpec.ts";
import { LLMPPO_DEFINITION, LLMPPOSpec, LLMREINFORCE_DEFINITION, LLMREINFORCESpec } from "./LLMPPOSpec.ts";
import { MADDPG_DEFINITION, MADDPGSpec, MATD3_DEFINITION, MATD3Spec } from "./MADDPGSpec.ts";
import {
  NEURAL_TS_DEFINITION,
  NEURAL_UCB_DEFINITION,
  NeuralTSSpec,
  NeuralUCBSpec,
} from "./NeuralBanditSpec.ts";
import { PPO_DEFINITION, PPOSpec } from "./PPOSpec.ts";
import { RAINBOW_DQN_DEFINITION, RainbowDQNSpec } from "./RainbowDQNSpec.ts";
import { TD3_DEFINITION, TD3Spec } from "./TD3Spec.ts";

/** The algorithms that the specs read. A new one is a file beside DQNSpec.ts and a place in these two lists. */
export const ALGORITHMS: readonly AlgorithmDefinition[] = [
  DQN_DEFINITION,
  RAINBOW_DQN_DEFINITION,
  DDPG_DEFINITION,
  TD3_DEFINITION,
  PPO_DEFINITION,
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

const schemas = [
  DQNSpec,
  RainbowDQNSpec,
  DDPGSpec,
  TD3Spec,
  PPOSpec,
  CQNSpec,
  MADDPGSpec,
  MATD3Spec,
  IPPOSpec,
  NeuralUCBSpec,
  NeuralTSSpec,
  LLMPPOSpec,
  LLMREINFORCESpec,
  GRPOSpec,
  GSPOSpec,
  CISPOSpec,
  DPOSpec,
  SFTSpec,
] as const;

const byName = tagged(z.discriminatedUnion("name", schemas), {
  what: "algorithm",
  key: "name",
  tags: ALGORITHMS.map((algorithm) => algorithm.name),
  known: KNOWN_ALGORITHMS,
});

const RECURRENT_NAMES: readonly unknown[] = ["Recurrent PPO", "RecurrentPPO"];

/** Other names that are read, and the algorithm that each means. */
export const OTHER_NAMES: Readonly<Record<string, string>> = {
  "Rainbow DQN": "RainbowDQN",
  "Recurrent PPO": "PPO",
  RecurrentPPO: "PPO",
};

/** The name under which an algorithm's spec is kept: both names of recurrent PPO are PPO. */
export function canonicalName(name: unknown): unknown {
  return typeof name === "string" && Object.hasOwn(OTHER_NAMES, name) ? OTHER_NAMES[name] : name;
}

/** `lr` of LLMPPO is another name of its `lr_actor`. */
function withActorRate(raw: Record<string, unknown>, context: z.core.$RefinementCtx): unknown {
  const { lr, ...rest } = raw;
  if (rest.lr_actor === undefined) return { ...rest, lr_actor: lr };
  const message = 'given together with "lr_actor", which is the same setting; keep one of the two';
  context.addIssue({ code: "custom", path: ["lr"], message });
  return rest;
}

/** Any algorithm spec of this build, told apart by `name`. */
export const AlgoSpec = z.preprocess((input: z.input<typeof byName>, context): unknown => {
  const raw: unknown = input;
  if (!isMapping(raw)) return raw;
  if (raw.name === "LLMPPO" && raw.lr !== undefined) return withActorRate(raw, context);
  if (!RECURRENT_NAMES.includes(raw.name)) {
    return raw.name === undefined ? raw : { ...raw, name: canonicalName(raw.name) };
  }
  if (raw.recurrent === false) {
    context.addIssue({
      code: "custom",
      path: ["recurrent"],
      message: `found false; the name "${raw.name}" implies recurrent: true`,
    });
  }
  return { ...raw, name: canonicalName(raw.name), recurrent: true };
}, byName);
export type AlgoSpec = z.output<typeof AlgoSpec>;
export type AlgoSpecInput = z.input<typeof AlgoSpec>;
