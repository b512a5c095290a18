import type { PPOSpecInput } from "../../specs/index.ts";
import { type Rollout, RolloutBuffer } from "../buffers/RolloutBuffer.ts";
import { writeRollout } from "../buffers/writeRollout.ts";
import { rolloutSizes } from "../runtime/turn.ts";
import type { AgentContext, AgentOptions } from "./agentOptions.ts";
import {
  type ActingOptions,
  loadStored,
  type Observation,
  SingleAgentAlgorithm,
} from "./SingleAgentAlgorithm.ts";

export type PPOOptions = AgentOptions<Omit<PPOSpecInput, "name">>;

/** Actions drawn from the policy, with what learning from them needs. */
export interface SampledActions {
  /** As the policy drew them: positions of choices, or numbers before they were clipped or scaled. */
  readonly action: Int32Array | Float32Array;
  /** As the environment takes them. */
  readonly applied: Int32Array | Float32Array;
  /** Logarithm of their probability (density), one for each observation. */
  readonly log_prob: Float32Array;
}

/** An agent of proximal policy optimisation (Schulman et al. 2017), for Discrete and Box actions. */
export class PPO extends SingleAgentAlgorithm {
  #buffer: RolloutBuffer | null = null;

  /** @throws SpecError for invalid fields and for action spaces that are neither Discrete nor Box. */
  constructor(options: PPOOptions) {
    super("PPO", options);
  }

  /** An agent that was saved. @throws RangeError when the file holds another algorithm's; StorageError of the store. */
  static async load(path: string, context: Partial<AgentContext> = {}): Promise<PPO> {
    return new PPO({ ...(await loadStored(path, context, "PPO")), ...context });
  }

  override clone(index?: number): PPO {
    return new PPO({ ...this.context, state: this.clonedState(index) });
  }

  /** Holds ceil(learn_step / num_envs) vector steps; made when first asked for, replaced by setting it. */
  get rollout_buffer(): RolloutBuffer {
    this.#buffer ??= this.makeBuffer(Number(this.hyperparameters.num_envs));
    return this.#buffer;
  }

  set rollout_buffer(buffer: RolloutBuffer) {
    this.#buffer = buffer;
  }

  /** A buffer for `num_envs` environments side by side, as `learn_step` says. */
  makeBuffer(num_envs: number): RolloutBuffer {
    const { observation_space, action_space } = this;
    const { horizon } = rolloutSizes(this, num_envs);
    return new RolloutBuffer({ capacity: horizon, num_envs, observation_space, action_space });
  }

  /** A draw from the policy; with `training: false` its mode. */
  override getAction(
    observation: Observation,
    options: ActingOptions = {},
  ): number | Float32Array | Int32Array {
    if (options.training === false) return this.greedyAction(observation, options);
    return this.actionOf(this.sampleAction(observation, options).applied, options);
  }

  /** Draws from the policy for one observation or, with `num_envs`, for several, as arrays either way. */
  sampleAction(observation: Observation, options: Omit<ActingOptions, "training"> = {}): SampledActions {
    const { arena } = this.present("act", observation, options);
    this.session.run("act");
    const read = (name: string) => arena.read(`act.${name}`) as Float32Array | Int32Array;
    return { action: read("action"), applied: read("applied"), log_prob: read("log_prob") as Float32Array };
  }

  /**
   * One learning phase over a roll-out of [steps, num_envs]: `update_epochs` passes of minibatches.
   * @returns loss, policy_loss, value_loss and entropy_loss, averaged over the learning steps.
   * @throws RangeError naming the field that does not fit.
   */
  learn(experiences: RolloutBuffer | Rollout): Record<string, number> {
    const rollout = experiences instanceof RolloutBuffer ? experiences.rollout() : experiences;
    const { num_envs, reward } = rollout;
    const horizon = reward.length / num_envs;
    if (!Number.isInteger(horizon) || horizon < 1) {
      throw new RangeError(
        `learn: found ${reward.length} rewards of ${num_envs} environments, allowed one for each environment and step`,
      );
    }
    const { arena } = this.session.open(["learn"], rolloutSizes(this, num_envs, horizon));
    writeRollout(arena, rollout);
    return this.session.learn();
  }
}
