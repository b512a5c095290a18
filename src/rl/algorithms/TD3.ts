/**
 * Twin delayed deep deterministic policy gradient (Fujimoto et al. 2018): the smaller of two critics' values as
 * target, noise on target actions, the policy and all targets updated every policy_freq-th learning step.
 */
import { add, minimum, mul, sub } from "../../kernels/index.ts";
import { flag, networkNamed, type OffPolicyAlgorithm } from "../contract/algorithm.ts";
import { continuousQNetwork, deterministicActor } from "../networks/index.ts";
import { flatSize } from "../spaces/index.ts";
import {
  applied,
  ended,
  explored,
  policyLoss,
  squaredError,
  targetAction,
  valueOf,
} from "./continuousControl.ts";
import { unsuitedAction } from "./unsuited.ts";

export const TD3: OffPolicyAlgorithm = {
  name: "TD3",
  kind: "off_policy",
  networks: ({ observation_space, action_space, network, hyperparameters }) => {
    if (action_space.kind !== "Box") throw unsuitedAction("TD3", action_space, "Box");
    const share_encoder = flag(hyperparameters, "share_encoders");
    const actor = deterministicActor(observation_space, action_space, network);
    const critic = continuousQNetwork(observation_space, flatSize(action_space), network, { share_encoder });
    return {
      actor,
      actor_target: actor,
      critic_1: critic,
      critic_target_1: critic,
      critic_2: critic,
      critic_target_2: critic,
    };
  },
  targets: { actor_target: "actor", critic_target_1: "critic_1", critic_target_2: "critic_2" },
  sharesEncoder: { critic_1: "actor", critic_2: "actor" },
  policy: "actor",
  optimizers: {
    actor_optimizer: { networks: ["actor"], lr: "lr_actor" },
    critic_1_optimizer: { networks: ["critic_1"], lr: "lr_critic" },
    critic_2_optimizer: { networks: ["critic_2"], lr: "lr_critic" },
  },
  metrics: ["actor_loss", "critic_loss"],
  activationMutation: false,
  structural: ["share_encoders", "O_U_noise", "normalize_images"],
  counts: ["learn_step", "policy_freq"],

  act: explored,
  greedy: (networks, obs) => networkNamed(networks, "actor").forward(obs),
  applied,
  ended,

  learn: (networks, batch) => {
    const { obs, action, reward, next_obs, done, discount } = batch;
    const [actor, actor_target] = [networkNamed(networks, "actor"), networkNamed(networks, "actor_target")];
    const next_action = targetAction(actor_target, batch);
    const [next_1, next_2] = (["critic_target_1", "critic_target_2"] as const).map((name) =>
      valueOf(networkNamed(networks, name), actor_target, next_obs, next_action),
    ) as [typeof reward, typeof reward];
    const target = add(reward, mul(discount, mul(sub(1, done), minimum(next_1, next_2))));
    const [loss_1, loss_2] = (["critic_1", "critic_2"] as const).map((name) =>
      squaredError(valueOf(networkNamed(networks, name), actor, obs, action), target),
    ) as [typeof reward, typeof reward];
    return {
      losses: { critic_1_optimizer: loss_1, critic_2_optimizer: loss_2 },
      metrics: { critic_loss: add(loss_1, loss_2) },
    };
  },
  delayed: {
    every: "policy_freq",
    optimizers: ["actor_optimizer"],
    metrics: ["actor_loss"],
    learn: (networks, { obs }) => {
      const actor_loss = policyLoss(networkNamed(networks, "critic_1"), networkNamed(networks, "actor"), obs);
      return { losses: { actor_optimizer: actor_loss }, metrics: { actor_loss } };
    },
  },
};
