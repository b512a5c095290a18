import { z } from "zod";
import { AlgorithmSpec, rateSchedule } from "../../specs/algorithms.ts";
import { count, field, fraction, hpoRangeOf } from "../../specs/checks.ts";
import { AgentNetwork } from "./ManifestNetwork.ts";
import { NetworkSection } from "./NetworkSection.ts";

const normalize_images = field(z.boolean().default(true), "Scales image observations to [0, 1].", {
  advanced: true,
});
const gamma = field(fraction().default(0.99), "Discount of future rewards.", {
  step: 0.001,
  hpo: hpoRangeOf(0.9, 0.9999, 1.001, 0.999),
});
const net_config = field(
  NetworkSection.nullable().default(null),
  "The network, if the spec is used without a manifest. A manifest has its own network section.",
  { advanced: true },
);

/**
 * Base of the specs of single-agent algorithms.
 *
 * @example
 * ```ts
 * console.log(SingleAgentAlgorithmSpec.parse({}).gamma); // 0.99
 * ```
 */
export const SingleAgentAlgorithmSpec = z.strictObject({
  ...AlgorithmSpec.shape,
  learn_step: field(count(1).default(5), "Environment steps for each learning step.", {
    unit: "steps",
    hpo: hpoRangeOf(1, 10, 1.5, 0.75),
  }),
  gamma,
  normalize_images,
  net_config,
  ...rateSchedule,
});
export type SingleAgentAlgorithmSpec = z.output<typeof SingleAgentAlgorithmSpec>;

/**
 * Base of the specs of multi-agent algorithms.
 *
 * @example
 * ```ts
 * console.log(MultiAgentAlgorithmSpec.parse({}).learn_step); // 2048
 * ```
 */
export const MultiAgentAlgorithmSpec = z.strictObject({
  ...AlgorithmSpec.shape,
  learn_step: field(count(1).default(2048), "Environment steps for each learning phase.", {
    unit: "steps",
    hpo: hpoRangeOf(1, 10, 1.5, 0.75),
  }),
  gamma,
  normalize_images,
  torch_compiler: field(z.string().nullable().default(null), "Compiler mode of AgileRL.", {
    advanced: true,
    effect: false,
  }),
  net_config: field(
    AgentNetwork.nullable().default(null),
    "One network for all agents, or one for each agent or group id.",
    { advanced: true },
  ),
  ...rateSchedule,
});
export type MultiAgentAlgorithmSpec = z.output<typeof MultiAgentAlgorithmSpec>;
