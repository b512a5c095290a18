import { ACTOR_CRITIC_MUTATION, PLAIN_NETWORK, TOURNAMENT } from "./common.ts";
import type { Template } from "./Template.ts";

export const maddpgSpeakerListener: Template = {
  id: "maddpg-speaker-listener",
  title: "MADDPG Speaker and listener",
  description:
    "One agent sees the goal and can only talk, the other can only walk: they learn a language of three words.",
  manifest: {
    algorithm: {
      name: "MADDPG",
      batch_size: 256,
      lr_actor: 0.001,
      lr_critic: 0.001,
      learn_step: 16,
      gamma: 0.95,
      tau: 0.01,
    },
    environment: { env_type: "gym", name: "simple_speaker_listener_v4", num_envs: 16 },
    training: {
      hpo: true,
      pop_size: 2,
      max_steps: 400_000,
      evo_steps: 4000,
      eval_loop: 2,
    },
    network: PLAIN_NETWORK,
    mutation: ACTOR_CRITIC_MUTATION,
    replay_buffer: { kind: "classic", max_size: 100_000 },
    selection_strategy: TOURNAMENT,
  },
};
