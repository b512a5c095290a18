/** Independent PPO (de Witt et al. 2020): PPO for each key, from its agents' own observations. */

import { z } from "zod";
import { add, concat, mul, ones, reshape, type Tensor } from "../../kernels/index.ts";
import { defineAlgorithm, POLICY_GRADIENT_SEARCH } from "../../specs/algorithms.ts";
import { field, integer } from "../../specs/checks.ts";
import { hyperparameter, type NumberIn } from "../contract/inputs.ts";
import { defineOnPolicy, type Sample } from "../contract/onPolicy.ts";
import { joint, memberOf, numbersOf, rowsOf, teamOf } from "../contract/team.ts";
import { type NetworkData, stochasticActor, valueNetwork } from "../networks/index.ts";
import { MultiAgentAlgorithmSpec } from "../sections/agentSpecs.ts";
import { policyRows } from "./actionDistribution.ts";
import { drawsOf, learnKey, maskOf, normalised, ofKey } from "./keyedPPO.ts";
import { explainedVariance, keyMetrics } from "./metrics.ts";
import { PPO } from "./PPO.ts";
import { policyGradientShape } from "./policyGradientShape.ts";
import { asNumbers, dealer, forRows } from "./teamActions.ts";

/** Independent proximal policy optimisation: PPO for each agent of a group (de Witt et al. 2020). */
export const IPPOSpec = z.strictObject({
  name: field(z.literal("IPPO").default("IPPO"), "Independent proximal policy optimisation."),
  ...MultiAgentAlgorithmSpec.shape,
  ...policyGradientShape,
  action_batch_size: field(
    integer(1).nullable().default(null),
    "Observations per pass of the policy. If unset, all.",
    { mutable: false, advanced: true },
  ),
});
export type IPPOSpec = z.output<typeof IPPOSpec>;
export type IPPOSpecInput = z.input<typeof IPPOSpec>;

/** Reads a hyperparameter in a program. */
const read = hyperparameter<NumberIn<IPPOSpec>>;

export const IPPO_DEFINITION = /* @__PURE__ */ defineAlgorithm({
  name: "IPPO",
  title: "Independent proximal policy optimisation",
  schema: IPPOSpec,
  on_policy: true,
  search: POLICY_GRADIENT_SEARCH,
  multi_agent: true,
  stochastic_actor: true,
  default_hp: [],
});

/** PPO's metrics that are reported for each key. */
const KEY_METRICS = [
  "policy_loss",
  "value_loss",
  "entropy_loss",
  "entropy",
  "approx_kl",
  "clip_fraction",
] as const;

export const IPPO = /* @__PURE__ */ defineOnPolicy({
  spec: IPPO_DEFINITION,
  actions: ["Agents"],
  networks: ({ observation_space, action_space, networkFor: settingsFor, hyperparameters }) => {
    const networks: Record<string, NetworkData> = {};
    const action_std_init = Number(hyperparameters.action_std_init);
    for (const { key, observation_space: seen, action_space: acted } of teamOf({
      observation_space,
      action_space,
    })) {
      const settings = settingsFor(key, seen);
      networks[memberOf("actors", key)] = stochasticActor(seen, acted, settings, { action_std_init });
      networks[memberOf("critics", key)] = valueNetwork(seen, settings);
    }
    return networks;
  },
  targets: {},
  sharesEncoder: {},
  policy: "actors",
  optimizers: {
    actor_optimizers: {
      networks: ["actors"],
      lr: "lr",
      max_grad_norm: "max_grad_norm",
      grad_norm: "actor_grad_norm",
    },
    critic_optimizers: {
      networks: ["critics"],
      lr: "lr",
      max_grad_norm: "max_grad_norm",
      grad_norm: "critic_grad_norm",
    },
  },
  metrics: KEY_METRICS,
  activationMutation: false,
  structural: ["normalize_images"],
  counts: ["update_epochs"],
  policyOutputs: ({ actors }, latent) => policyRows(actors, latent),

  inputOf: (network, inputs, spaces) => {
    const key = teamOf(spaces).find((one) => network.endsWith(`.${one.key}`));
    return key ? rowsOf(key, inputs, (mate) => mate.obs) : inputs;
  },

  act: (networks, latents, draws, spaces, mask) => {
    const team = teamOf(spaces);
    const needed = team.map(({ agents, action_space }) => agents.length * drawsOf(action_space));
    const deal = dealer(draws(needed.reduce((all, n) => all + n, 0)));
    const samples = new Map(
      team.map((key): [string, Sample] => {
        const own = (count: number) => forRows(key, deal(count * key.agents.length));
        return [key.key, PPO.act(...ofKey(key, networks, latents), own, key, maskOf(key, mask))];
      }),
    );
    const rows = (of: keyof Sample) => joint(team, ({ key }) => asNumbers((samples.get(key) as Sample)[of]));
    return { action: rows("action"), applied: rows("applied"), log_prob: rows("log_prob") };
  },
  greedy: (networks, latents, spaces, mask) =>
    joint(teamOf(spaces), (key) =>
      asNumbers(PPO.greedy(...ofKey(key, networks, latents), key, maskOf(key, mask))),
    ),
  value: (networks, latents, spaces) =>
    joint(teamOf(spaces), (key) => PPO.value(...ofKey(key, networks, latents), key)),
  normalised: (advantage, spaces, present) =>
    joint(teamOf(spaces), (key) => {
      const own = numbersOf(key, advantage);
      return normalised(own, present ? numbersOf(key, present) : ones(own.shape));
    }),

  rollout: {
    metrics: ["explained_variance"],
    of: (values, returns, spaces, present = ones(returns.shape)) => {
      const ofKeys = teamOf(spaces).map((key): [string, Tensor] => {
        const own = (x: Tensor) => numbersOf(key, x);
        return [key.key, explainedVariance(own(values), own(returns), own(present))];
      });
      return keyMetrics("explained_variance", new Map(ofKeys));
    },
  },
  learn: (networks, batch, _hyperparameters, _parameters, spaces) => {
    const losses: Record<string, Tensor> = {};
    const metrics = new Map(KEY_METRICS.map((name) => [name, new Map<string, Tensor>()]));
    const moved: Tensor[] = [];
    for (const key of teamOf(spaces)) {
      const { learned, share } = learnKey(key, networks, batch);
      for (const [name, values] of metrics) values.set(key.key, mul(learned.metrics[name] as Tensor, share));
      const part = (name: (typeof KEY_METRICS)[number]) => metrics.get(name)?.get(key.key) as Tensor;
      const [policy, value, entropy] = [part("policy_loss"), part("value_loss"), part("entropy_loss")];
      losses[memberOf("actor_optimizers", key.key)] = add(policy, mul(read("ent_coef"), entropy));
      losses[memberOf("critic_optimizers", key.key)] = mul(read("vf_coef"), value);
      moved.push(reshape(mul(learned.kl, share), [1]));
    }
    return {
      losses,
      metrics: Object.assign({}, ...[...metrics].map(([name, values]) => keyMetrics(name, values))),
      kl: moved.length === 1 ? (moved[0] as Tensor) : concat(moved),
    };
  },
});
