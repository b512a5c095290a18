/**
 * Evolution strategies (Salimans et al. 2017, arXiv 1703.03864): the policy follows an estimate of the gradient of the
 * expected return under normal noise on its parameters, E[u(theta + sigma e) e] / sigma with utilities u, from whole
 * episodes of perturbed copies. Noise on matrices has low rank (Sarkar et al. 2025, arXiv 2511.16652).
 */

import { z } from "zod";
import { checkPairs, copiesField, strategyShape } from "../../evolution/members.ts";
import { defineAlgorithm, rateSchedule } from "../../specs/algorithms.ts";
import { atLeast, field, hpoRangeOf, integer } from "../../specs/checks.ts";
import { defineEvolutionStrategy, EVOLUTION_METRICS } from "../contract/evolutionStrategy.ts";
import { deterministicActor, stochasticActor } from "../networks/index.ts";
import { SingleAgentAlgorithmSpec } from "../sections/agentSpecs.ts";
import { appliedSample, policyOf, policyRows } from "./actionDistribution.ts";
import { applied } from "./continuousControl.ts";

const { normalize_images, net_config } = SingleAgentAlgorithmSpec.shape;

/** Highest rank: each adds two factors for every matrix to the program. */
const MOST_RANK = 64;

/** Evolution strategies (Salimans et al. 2017), with noise of low rank. */
export const ESSpec = z
  .strictObject({
    name: field(z.literal("ES").default("ES"), "Evolution strategies."),
    perturbations: copiesField(256),
    episodes: field(integer(1).default(1), "Episodes of each copy.", {
      unit: "episodes",
      hpo: hpoRangeOf(1, 4, 1.5, 0.75),
    }),
    sigma: field(atLeast(1e-6).default(0.05), "Standard deviation of the noise on parameters.", {
      step: "log",
      hpo: hpoRangeOf(0.01, 0.2),
    }),
    ...strategyShape,
    lr: field(atLeast(0).default(0.02), "Learning rate.", { step: "log", hpo: hpoRangeOf(0.001, 0.1) }),
    ...rateSchedule,
    rank: field(
      integer(1).max(MOST_RANK).nullable().default(1),
      "Rank of the noise on a matrix with more rows and columns than this. Null: independent noise on each weight.",
      { hpo: hpoRangeOf(1, 4, 1.5, 0.75), advanced: true },
    ),
    common_random_numbers: field(
      z.boolean().default(true),
      "The copies of a pair start their episodes alike, with the same random numbers.",
      { advanced: true },
    ),
    sample_actions: field(
      z.boolean().default(true),
      "Copies sample discrete actions from the softmax of their outputs. If false, they take the best, and small noise may change none.",
      { advanced: true },
    ),
    weight_decay: field(
      atLeast(0).default(0.005),
      "Share of each parameter, times the learning rate, that an iteration takes away.",
      { step: "log", advanced: true },
    ),
    recurrent: field(z.boolean().default(false), "Uses a recurrent policy (LSTM).", { advanced: true }),
    normalize_images,
    net_config,
  })
  .superRefine(checkPairs);
export type ESSpec = z.output<typeof ESSpec>;
export type ESSpecInput = z.input<typeof ESSpec>;

export const ES_DEFINITION = /* @__PURE__ */ defineAlgorithm({
  name: "ES",
  title: "Evolution strategies",
  schema: ESSpec,
  rlkit_only: true,
  evolution_strategy: true,
  evo_steps: 200_000,
  default_hp: ["lr", "sigma"],
  search: {
    lr: { min: 1e-3, max: 0.1, scale: "log" },
    sigma: { min: 0.01, max: 0.2, scale: "log" },
    episodes: { min: 1, max: 4, scale: "log" },
    rank: { min: 1, max: 4, scale: "log" },
  },
});

export const ES = /* @__PURE__ */ defineEvolutionStrategy({
  spec: ES_DEFINITION,
  actions: ["Discrete", "MultiDiscrete", "MultiBinary", "Box"],
  networks: ({ observation_space, action_space, network }) => ({
    actor:
      action_space.kind === "Box"
        ? deterministicActor(observation_space, action_space, network)
        : stochasticActor(observation_space, action_space, network),
  }),
  targets: {},
  sharesEncoder: {},
  policy: "actor",
  optimizers: { optimizer: { networks: ["actor"], lr: "lr" } },
  metrics: EVOLUTION_METRICS,
  activationMutation: true,
  structural: [
    "rank",
    "antithetic",
    "common_random_numbers",
    "fitness_shaping",
    "sample_actions",
    "optimizer",
    "normalize_images",
  ],
  counts: [],
  policyOutputs: ({ actor }, latent) => policyRows(actor, latent),

  greedy: ({ actor }, latents, { action_space }, mask, draws) => {
    const latent = latents("actor");
    if (action_space.kind === "Box") return applied({ actor }, actor.head(latent), action_space);
    const policy = policyOf(actor, latent, mask);
    return appliedSample(draws ? policy.sample(draws) : policy.mode(), action_space, policy, actor);
  },
});
