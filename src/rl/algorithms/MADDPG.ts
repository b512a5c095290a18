/**
 * Multi-agent deep deterministic policy gradient (Lowe et al. 2017): actors read their own observations,
 * critics read all observations and actions.
 */
import type { Tensor } from "../../kernels/index.ts";
import { defineOffPolicy } from "../contract/offPolicy.ts";
import { policyRows } from "./actionDistribution.ts";
import { ACTOR_STEP, CRITIC_STEP, criticLosses, policyLosses, teamNetworks } from "./centralCritics.ts";
import { teamApplied, teamEnded, teamExplored, teamGreedy } from "./teamActions.ts";
import { VALUE_METRICS } from "./valueMetrics.ts";

const CRITICS = { critics: { target: "critic_targets", optimizer: "critic_optimizers" } } as const;

export const MADDPG = defineOffPolicy({
  name: "MADDPG",
  multi_agent: true,
  actions: ["Agents"],
  networks: (context) => teamNetworks(context, { critics: "critic_targets" }),
  targets: { actor_targets: "actors", critic_targets: "critics" },
  sharesEncoder: {},
  policy: "actors",
  optimizers: {
    actor_optimizers: { networks: ["actors"], ...ACTOR_STEP },
    critic_optimizers: { networks: ["critics"], ...CRITIC_STEP },
  },
  metrics: ["actor_loss", "critic_loss", ...VALUE_METRICS],
  activationMutation: false,
  structural: ["O_U_noise", "normalize_images"],
  counts: ["learn_step"],
  policyOutputs: ({ actors }, latent) => policyRows(actors, latent),

  act: teamExplored,
  greedy: teamGreedy,
  applied: teamApplied,
  ended: teamEnded,

  learn: (networks, batch, _hyperparameters, _parameters, spaces) => {
    const critic = criticLosses(networks, batch, spaces, {
      critics: CRITICS,
      smoothed: false,
      least: ([only]) => only as Tensor,
    });
    const actor = policyLosses(networks, batch, spaces, { critic: "critics", smoothed: false });
    return {
      losses: { ...critic.losses, ...actor.losses },
      metrics: { ...critic.metrics, ...actor.metrics },
    };
  },
  result: ({ metrics }) => metrics,
});
