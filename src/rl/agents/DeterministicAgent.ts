import { outputRange } from "../algorithms/continuousControl.ts";
import type { Experiences } from "../buffers/experiences.ts";
import type { NetworkState } from "../networks/networkState.ts";
import { elementSize } from "../spaces/index.ts";
import { OffPolicyAgent } from "./OffPolicyAgent.ts";
import type { ActingOptions, Observation } from "./SingleAgentAlgorithm.ts";

/** By how much rounding may carry an action past the policy's range. */
const ROUNDING = 1e-5;

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

  /** Actions of a batch lie on the policy's scale, between the bounds of its output activation. */
  protected override requireActions(actions: ArrayLike<number>): void {
    const [least, most] = outputRange(this.state.networks.actor as NetworkState);
    const size = elementSize(this.action_space);
    for (let i = 0; i < actions.length; i++) {
      const action = actions[i] as number;
      if (action >= least - ROUNDING && action <= most + ROUNDING) continue;
      throw new RangeError(
        `experiences.action[${i % size}] of transition ${Math.floor(i / size)}: found ${action}, allowed ${least} to ${most}, the policy's own scale: where the environment's bounds are low and high, ${least} + ${most - least} * (action - low) / (high - low)`,
      );
    }
  }

  protected losses(experiences: Experiences): ActorCriticLosses {
    const { actor_loss = null, critic_loss } = this.learnBatch(experiences).metrics;
    return { actor_loss, critic_loss: critic_loss as number };
  }
}
