import type { Experiences } from "../buffers/experiences.ts";
import { OffPolicyAgent } from "./OffPolicyAgent.ts";
import type { ActingOptions, Observation } from "./SingleAgentAlgorithm.ts";

/** Losses of one learning step. */
export interface ActorCriticLosses {
  readonly actor_loss: number | null;
  readonly critic_loss: number;
}

/** Base of agents whose policy names one action, of a Box. */
export abstract class DeterministicAgent extends OffPolicyAgent {
  /** The policy's action within the environment's bounds, with exploration noise while training. */
  override getAction(observation: Observation, options: ActingOptions = {}): Float32Array {
    const { training = true } = options;
    const action = training ? this.explore(observation, options) : this.greedyAction(observation, options);
    return action as Float32Array;
  }

  protected losses(experiences: Experiences): ActorCriticLosses {
    const { actor_loss = null, critic_loss } = this.learnBatch(experiences).metrics;
    return { actor_loss, critic_loss: critic_loss as number };
  }
}
