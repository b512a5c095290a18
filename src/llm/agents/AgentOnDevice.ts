/** A language-model agent on its devices. The buffers are permanent; members' states are loaded into them. */

import { SerialQueue } from "../../kernels/devices.ts";
import type { Device, KernelReport } from "../../kernels/index.ts";
import type { LlmSpec } from "../algorithms/registry.ts";
import type { ActingEngine, ActorCopies, Growing } from "../engine/Decodings.ts";
import { ModelOnDevice } from "../engine/ModelOnDevice.ts";
import type { PolicyShape } from "../engine/Policy.ts";
import { wholeWeights } from "../models/loadModelParts.ts";
import type { ModelWeights } from "../models/modelFiles.ts";
import { AgentCore } from "./AgentCore.ts";
import type { AgentPlan } from "./agentPlan.ts";
import { cacheCapacity } from "./cacheCapacity.ts";
import type { LlmMember } from "./LlmMember.ts";
import { initialState, type PolicyState, tuningOf } from "./PolicyState.ts";

/** The roles that an algorithm needs, and how they are trained. */
export function policyShapeOf({ parts, algorithm, spec, lora }: AgentPlan): PolicyShape {
  const tuning = tuningOf(parts, spec.full_finetuning ? "whole" : lora);
  const compares =
    algorithm.kind === "rollout" || (algorithm.kind === "dataset" && algorithm.reference(spec));
  const separate = "use_separate_reference_adapter" in spec && spec.use_separate_reference_adapter;
  return {
    tuning,
    // Without a separate reference adapter, the base model is the reference. A fully
    // trained model has no base left.
    reference: compares && (tuning.kind === "whole" || separate),
    critic: algorithm.kind === "rollout" && algorithm.critic,
  };
}

/**
 * A member's policy before its first update.
 * @param weights The model's weights, if all are trained (default: those of a built-in model).
 */
export const initialPolicy = (
  plan: AgentPlan,
  seed: number,
  weights: ModelWeights = plan.parts.weights,
): PolicyState =>
  initialState({ parts: { ...plan.parts, weights }, lora: plan.lora, shape: policyShapeOf(plan), seed });

/** Whether a member begins with the weights of a folder, which have to be read first. */
export const beginsInFolder = (plan: AgentPlan): boolean =>
  plan.parts.stored !== null && policyShapeOf(plan).tuning.kind === "whole";

/** As {@link initialPolicy}, with the weights of a folder. @throws As `StoredWeights.parts` does. */
export const firstPolicy = async (plan: AgentPlan, seed: number): Promise<PolicyState> =>
  initialPolicy(plan, seed, beginsInFolder(plan) ? await wholeWeights(plan.parts) : undefined);

/** Length of the longest sequence that a plan allows. */
const positionsOf = ({ parts, spec }: AgentPlan): number =>
  Math.min(parts.config.max_position_embeddings, spec.max_model_len);

export class AgentOnDevice {
  readonly plan: AgentPlan;
  readonly core: AgentCore<LlmSpec>;
  /** Longest sequence in tokens. */
  readonly max_model_len: number;
  readonly #model: ModelOnDevice;
  /** Whether the agent opened the model itself, and so must close it and its device. */
  readonly #owned: boolean;
  /** Largest capacity of a cache so far. */
  #capacity = 0;

  /**
   * @param model Learns and computes log-probabilities. Other agents may share it, so that its base weights are in
   *   memory once.
   * @param acts What generates completions (default: the kernels of its device).
   * @param owned Whether the agent closes the model and its device.
   */
  constructor(plan: AgentPlan, model: ModelOnDevice, acts?: ActingEngine, owned = false) {
    this.plan = plan;
    this.#model = model;
    this.#owned = owned;
    this.max_model_len = Math.min(positionsOf(plan), model.positions);
    this.core = new AgentCore(model, policyShapeOf(plan), plan.algorithm, acts);
  }

  /**
   * Opens an agent with a base of its own. It closes the device.
   * @param acts What generates completions (default: the device's kernels).
   * @throws As {@link ModelOnDevice.load} does; the device stays open.
   */
  static async open(plan: AgentPlan, device: Device, acts?: ActingEngine): Promise<AgentOnDevice> {
    const { parts } = plan;
    const options = { positions: positionsOf(plan), weight_storage: plan.weight_storage ?? "f32" };
    // A fully trained model exists only in its members.
    const isWhole = policyShapeOf(plan).tuning.kind === "whole";
    const model = isWhole
      ? ModelOnDevice.open(parts.config, null, device, options)
      : await ModelOnDevice.load(parts, device, options);
    return new AgentOnDevice(plan, model, acts, true);
  }

  /**
   * An empty cache for `rows` rows of up to `tokens` tokens, with the current actor. On wasm its capacity is that of the
   * longest sequences so far, on which no bits depend; elsewhere it is always the same.
   * @param copies Copies of the actor in its place (default: none).
   */
  decoding(rows: number, tokens: number, copies: ActorCopies | null = null): Promise<Growing> {
    const own = this.#model.bound_sizes ? this.max_model_len : cacheCapacity(tokens, this.max_model_len);
    this.#capacity = Math.max(this.#capacity, own);
    return this.core.decoding(rows, this.#capacity, copies);
  }

  /** Loads a member. Optimisers whose moments it lacks are reset. */
  write(state: PolicyState): void {
    const { policy } = this.core;
    policy.restartOptimizers(state);
    policy.write(Object.entries(state));
  }

  /** The current state of the member. */
  async read(): Promise<PolicyState> {
    const { policy } = this.core;
    const parts = (["actor", "reference", "critic", "optimizers"] as const).flatMap((part) =>
      policy.names(part),
    );
    return Object.fromEntries(await policy.read(parts));
  }

  kernels(): readonly KernelReport[] {
    return this.#model.device.kernels();
  }

  close(): void {
    this.core.release();
    if (!this.#owned) return;
    this.#model.release();
    this.#model.device.close();
  }
}

/**
 * The member with a policy. If it has none yet, the initial one, which depends
 * only on the seed and its index.
 */
export const withPolicy = async (plan: AgentPlan, member: LlmMember, seed: number): Promise<LlmMember> =>
  Object.keys(member.policy).length > 0
    ? member
    : { ...member, policy: await firstPolicy(plan, seed + member.index) };

/** An agent's buffers, shared by several agents that take turns. */
export class SharedAgent {
  readonly agent: AgentOnDevice;
  readonly #turns = new SerialQueue();
  #users = 1;

  constructor(plan: AgentPlan, model: ModelOnDevice, acts: ActingEngine) {
    this.agent = new AgentOnDevice(plan, model, acts);
  }

  /** Adds a user. */
  join(): this {
    this.#users++;
    return this;
  }

  /** Removes a user; the last one frees the buffers. */
  leave(): void {
    this.#users--;
    if (this.#users === 0) this.agent.close();
  }

  /** Runs `task` after all earlier tasks have ended. */
  run<T>(task: (agent: AgentOnDevice) => Promise<T>): Promise<T> {
    return this.#turns.run(() => task(this.agent));
  }
}
