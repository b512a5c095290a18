/** Proximal policy optimisation (Schulman et al. 2017): clipped objective (eq. 7), squared value loss (eq. 9), GAE. */
import { categorical, normal, squashedNormal } from "../../kernels/functions/distributions.ts";
import type { Tensor } from "../../kernels/index.ts";
import {
  add,
  broadcastTo,
  clip,
  div,
  exp,
  minimum,
  mul,
  neg,
  reshape,
  square,
  stackColumns,
  sub,
  sumAll,
} from "../../kernels/index.ts";
import { SpecError } from "../../specs/index.ts";
import { stochasticActor, valueNetwork } from "../networks/index.ts";
import { environmentAction } from "../programs/choices.ts";
import { hyperparameter, normals } from "../programs/inputs.ts";
import type { Network } from "../programs/network.ts";
import { type Box, flatSize, type Space } from "../spaces/index.ts";
import { flag, type Networks, networkNamed, type OnPolicyAlgorithm } from "./algorithm.ts";
import { unsuitedAction } from "./unsuited.ts";

/** Mean over the rows that count. */
const average = (x: Tensor, weight: Tensor): Tensor => div(sumAll(mul(x, weight)), sumAll(weight));

const both = (networks: Networks): { actor: Network; critic: Network } => ({
  actor: networkNamed(networks, "actor"),
  critic: networkNamed(networks, "critic"),
});

/** The policy's distribution and the state's value from one pass through the encoder they may share. */
function evaluate(networks: Networks, obs: Tensor, mask?: Tensor) {
  const { actor, critic } = both(networks);
  const latent = actor.encode(obs);
  const value = critic.head(critic.data.encoder === "shared" ? latent : critic.encode(obs));
  return {
    policy: policyOf(actor, latent, mask),
    value: reshape(value, [value.shape[0] as Tensor["shape"][number]]),
  };
}

function policyOf(actor: Network, latent: Tensor, mask?: Tensor) {
  const { distribution } = actor.data;
  const output = actor.head(latent);
  if (distribution?.kind === "normal") {
    const log_std = actor.parameter("log_std");
    return distribution.squash_output
      ? {
          kind: "squashed" as const,
          ...squashedNormal(output, log_std),
          entropy: normal(output, log_std).entropy,
        }
      : { kind: "normal" as const, ...normal(output, log_std) };
  }
  return { kind: "categorical" as const, ...categorical(output, mask) };
}

/** An action as the environment takes it: numbered its way, clipped to the bounds, or scaled to them when squashed. */
function applied(action: Tensor, space: Space, squashed: boolean): Tensor {
  if (space.kind !== "Box") return environmentAction(space, action);
  const [low, high] = bounds(space);
  if (!squashed) return clip(action, low, high);
  return add(mul(add(action, 1), (high - low) / 2), low);
}

/** Bounds of a Box whose numbers all have the same ones. */
function bounds({ low, high }: Box): [number, number] {
  const [a = -1, b = 1] = [low[0], high[0]];
  if (low.some((x) => x !== a) || high.some((x) => x !== b)) {
    throw new SpecError([
      {
        code: "unsupported",
        path: "environment.name",
        segments: ["environment", "name"],
        message:
          "PPO: actions whose numbers have different bounds are not supported yet; scale them in the environment",
      },
    ]);
  }
  return [a, b];
}

export const PPO: OnPolicyAlgorithm = {
  name: "PPO",
  kind: "on_policy",
  networks: ({ observation_space, action_space, network, hyperparameters }) => {
    const share_encoder = flag(hyperparameters, "share_encoders");
    if (action_space.kind !== "Discrete" && action_space.kind !== "Box") {
      throw unsuitedAction("PPO", action_space, "Discrete or Box");
    }
    if (action_space.kind === "Box") bounds(action_space);
    const action_std_init = Number(hyperparameters.action_std_init);
    return {
      actor: stochasticActor(observation_space, action_space, network, { action_std_init }),
      critic: valueNetwork(observation_space, network, { share_encoder }),
    };
  },
  targets: {},
  sharesEncoder: { critic: "actor" },
  policy: "actor",
  optimizers: { optimizer: { networks: ["actor", "critic"], lr: "lr", max_grad_norm: "max_grad_norm" } },
  metrics: ["loss", "policy_loss", "value_loss", "entropy_loss"],
  activationMutation: false,
  structural: ["share_encoders"],
  counts: ["update_epochs"],
  policyOutputs: (networks, latent): Record<string, Tensor> => {
    const actor = networkNamed(networks, "actor");
    const output = actor.head(latent);
    if (actor.data.distribution?.kind !== "normal") return { logits: output };
    return { mean: output, log_std: broadcastTo(actor.parameter("log_std"), output.shape) };
  },

  act: (networks, obs, draws, action_space, mask) => {
    const { actor } = both(networks);
    const policy = policyOf(actor, actor.encode(obs), mask);
    const action =
      policy.kind === "categorical"
        ? policy.sample(draws(1)[0] as Tensor)
        : policy.sample(stackColumns(normals(draws, flatSize(action_space))));
    return {
      action,
      applied: applied(action, action_space, policy.kind === "squashed"),
      log_prob: policy.logProb(action),
    };
  },
  greedy: (networks, obs, action_space, mask) => {
    const actor = networkNamed(networks, "actor");
    const policy = policyOf(actor, actor.encode(obs), mask);
    return applied(policy.mode(), action_space, policy.kind === "squashed");
  },
  value: (networks, obs) => evaluate(networks, obs).value,

  learn: (networks, batch) => {
    const { obs, action, log_prob, advantage, returns, weight, mask } = batch;
    const { policy, value } = evaluate(networks, obs, mask);
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
    return {
      losses: { optimizer: loss },
      metrics: { loss, policy_loss, value_loss, entropy_loss: neg(entropy) },
      kl,
    };
  },
};
