/** Independent PPO (de Witt et al. 2020): PPO for each key, from its agents' own observations. */
import type { Dim, Tensor } from "../../kernels/index.ts";
import {
  add,
  cast,
  column,
  concat,
  div,
  greater,
  maximum,
  mul,
  mulDims,
  ones,
  reshape,
  select,
  sqrt,
  square,
  sub,
  sumAll,
} from "../../kernels/index.ts";
import { memberOf } from "../contract/families.ts";
import { hyperparameter } from "../contract/inputs.ts";
import type { Latents, Networks } from "../contract/networks.ts";
import { defineOnPolicy, type RolloutBatch, type Sample } from "../contract/onPolicy.ts";
import { joint, numbersOf, rowsOf, type TeamKey, teamOf } from "../contract/team.ts";
import { type NetworkData, stochasticActor, valueNetwork } from "../networks/index.ts";
import { flatSize, type Space } from "../spaces/index.ts";
import { policyRows } from "./actionDistribution.ts";
import { explainedVariance } from "./explainedVariance.ts";
import { keyMetrics } from "./keyMetrics.ts";
import { PPO } from "./PPO.ts";
import { asNumbers, choiceDraws, dealer, forRows, networkFor } from "./teamActions.ts";

/** PPO's metrics that are reported for each key. */
const KEY_METRICS = [
  "policy_loss",
  "value_loss",
  "entropy_loss",
  "entropy",
  "approx_kl",
  "clip_fraction",
] as const;

/** Networks and latent vectors of a key, under PPO's names. */
const ofKey = <N extends string>(key: TeamKey, networks: Networks<N>, latents: Latents<N>) =>
  [
    {
      actor: networkFor(networks, "actors", key),
      // A getter, because programs that only act have no critics.
      get critic() {
        return networkFor(networks, "critics", key);
      },
    },
    // The name consists of a family in the definition and a key, so it is one of N.
    (name: string) => latents(memberOf(`${name}s`, key.key) as N),
  ] as const;

/** How many uniform vectors one agent's action needs. */
function drawsOf(space: Space): number {
  const size = flatSize(space);
  return space.kind === "Box" ? size + (size % 2) : choiceDraws(space);
}

/** Rows of a mask for a key; undefined for continuous actions. */
const maskOf = (key: TeamKey, mask: Tensor | undefined): Tensor | undefined =>
  key.action_space.kind === "Box" ? undefined : mask && rowsOf(key, mask, (mate) => mate.mask);

/** A key's actions from joint rows, in PPO's form: choices as integers. */
function actionsOf(key: TeamKey, action: Tensor): Tensor {
  const rows = rowsOf(key, action, (mate) => mate.action);
  if (key.action_space.kind === "Box") return rows;
  return cast(key.action_space.kind === "Discrete" ? column(rows, 0) : rows, "i32");
}

/** Repeats a number of each step [n] for each of the key's agents [n agents]. */
function repeated({ agents }: TeamKey, each: Tensor): Tensor {
  const n = each.shape[0] as Dim;
  return reshape(mul(reshape(each, [n, 1]), ones([1, agents.length])), [mulDims(n, agents.length)]);
}

/** Normalises to mean 0 and standard deviation 1 over the rows that count (unbiased variance). */
function normalised(x: Tensor, weight: Tensor): Tensor {
  const count = maximum(sumAll(weight), 2);
  const centred = sub(x, div(sumAll(mul(x, weight)), count));
  const variance = div(sumAll(mul(square(centred), weight)), sub(count, 1));
  return div(centred, add(sqrt(variance), 1e-8));
}

/** PPO's learning step over a key's rows of agents that had not left, and the share of these rows. */
function learnKey(key: TeamKey, networks: Networks, batch: RolloutBatch) {
  const { latents, mask, present, weight } = batch;
  const counts = repeated(key, weight);
  const own = present ? mul(counts, numbersOf(key, present)) : counts;
  const [ppo, ownLatents] = ofKey(key, networks, latents);
  const legal = maskOf(key, mask);
  const learned = PPO.learn(
    ppo,
    {
      latents: ownLatents,
      action: actionsOf(key, batch.action),
      log_prob: numbersOf(key, batch.log_prob),
      advantage: numbersOf(key, batch.advantage),
      returns: numbersOf(key, batch.returns),
      // A slice of a minibatch may have no row of the key. Any weights will do then, because `share` is 0.
      weight: select(greater(sumAll(own), 0), own, 1),
      ...(legal && { mask: legal }),
    },
    {},
    {},
    key,
  );
  const share = div(sumAll(own), sumAll(counts));
  return { learned, share };
}

export const IPPO = defineOnPolicy({
  name: "IPPO",
  multi_agent: true,
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
      losses[memberOf("actor_optimizers", key.key)] = add(policy, mul(hyperparameter("ent_coef"), entropy));
      losses[memberOf("critic_optimizers", key.key)] = mul(hyperparameter("vf_coef"), value);
      moved.push(reshape(mul(learned.kl, share), [1]));
    }
    return {
      losses,
      metrics: Object.assign({}, ...[...metrics].map(([name, values]) => keyMetrics(name, values))),
      kl: moved.length === 1 ? (moved[0] as Tensor) : concat(moved),
    };
  },
});
