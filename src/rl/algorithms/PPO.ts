/** Proximal policy optimisation (Schulman et al. 2017): clipped objective (eq. 7), squared value loss (eq. 9), GAE. */
import type { Dim, Tensor } from "../../kernels/index.ts";
import {
  abs,
  add,
  cast,
  clip,
  div,
  exp,
  greater,
  minimum,
  mul,
  neg,
  ones,
  reshape,
  square,
  sub,
  sumAll,
} from "../../kernels/index.ts";
import { flag } from "../contract/hyperparameters.ts";
import { hyperparameter } from "../contract/inputs.ts";
import type { Latents, Networks } from "../contract/networks.ts";
import { defineOnPolicy } from "../contract/onPolicy.ts";
import { stochasticActor, valueNetwork } from "../networks/index.ts";
import { appliedSample, policyOf, policyRows } from "./actionDistribution.ts";
import { explainedVariance } from "./explainedVariance.ts";

/** Mean over the rows that count. */
const average = (x: Tensor, weight: Tensor): Tensor => div(sumAll(mul(x, weight)), sumAll(weight));

/** State values, [n]. */
function valueOf({ critic }: Networks<"critic">, latents: Latents<"critic">): Tensor {
  const value = critic.head(latents("critic"));
  return reshape(value, [value.shape[0] as Dim]);
}

const policyIn = ({ actor }: Networks<"actor">, latents: Latents<"actor">, mask?: Tensor) =>
  policyOf(actor, latents("actor"), mask);

export const PPO = defineOnPolicy({
  name: "PPO",
  actions: ["Discrete", "MultiDiscrete", "MultiBinary", "Box"],
  networks: ({ observation_space, action_space, network, hyperparameters }) => {
    const share_encoder = flag(hyperparameters, "share_encoders");
    const action_std_init = Number(hyperparameters.action_std_init);
    return {
      actor: stochasticActor(observation_space, action_space, network, { action_std_init }),
      critic: valueNetwork(observation_space, network, { share_encoder }),
    };
  },
  targets: {},
  sharesEncoder: { critic: "actor" },
  policy: "actor",
  optimizers: {
    optimizer: {
      networks: ["actor", "critic"],
      lr: "lr",
      max_grad_norm: "max_grad_norm",
      grad_norm: "grad_norm",
    },
  },
  metrics: ["loss", "policy_loss", "value_loss", "entropy_loss", "entropy", "approx_kl", "clip_fraction"],
  activationMutation: false,
  structural: ["share_encoders", "normalize_images"],
  counts: ["update_epochs"],
  policyOutputs: ({ actor }, latent) => policyRows(actor, latent),

  act: (networks, latents, draws, { action_space }, mask) => {
    const policy = policyIn(networks, latents, mask);
    const action = policy.sample(draws);
    const applied = appliedSample(action, action_space, policy, networks.actor);
    return { action, applied, log_prob: policy.logProb(action) };
  },
  greedy: (networks, latents, { action_space }, mask) => {
    const policy = policyIn(networks, latents, mask);
    return appliedSample(policy.mode(), action_space, policy, networks.actor);
  },
  value: valueOf,

  rollout: {
    metrics: ["explained_variance"],
    of: (values, returns) => ({
      explained_variance: explainedVariance(values, returns, ones(returns.shape)),
    }),
  },
  learn: (networks, batch) => {
    const { latents, action, log_prob, advantage, returns, weight, mask } = batch;
    const policy = policyIn(networks, latents, mask);
    const value = valueOf(networks, latents);
    const clip_coef = hyperparameter("clip_coef");
    const logRatio = sub(policy.logProb(action), log_prob);
    const ratio = exp(logRatio);
    const clipped = clip(ratio, sub(1, clip_coef), add(1, clip_coef));
    const policy_loss = neg(average(minimum(mul(ratio, advantage), mul(clipped, advantage)), weight));
    const value_loss = mul(average(square(sub(value, returns)), weight), 0.5);
    const entropy = average(policy.entropy(), weight);
    const loss = sub(
      add(policy_loss, mul(hyperparameter("vf_coef"), value_loss)),
      mul(hyperparameter("ent_coef"), entropy),
    );
    // Schulman's low-variance estimate of KL(old || new): mean of (ratio - 1) - log ratio.
    const kl = average(sub(sub(ratio, 1), logRatio), weight);
    const isClipped = cast(greater(abs(sub(ratio, 1)), clip_coef), "f32");
    return {
      losses: { optimizer: loss },
      metrics: {
        loss,
        policy_loss,
        value_loss,
        entropy_loss: neg(entropy),
        entropy,
        approx_kl: kl,
        clip_fraction: average(isClipped, weight),
      },
      kl,
    };
  },
});
