/** Weights of a member's policy as plain data, and their initial values. */

import type { LoraSettings } from "../adapters/loraTargets.ts";
import { initialAdapter, tuningOfAdapter } from "../adapters/peftFiles.ts";
import { VALUE_HEAD } from "../engine/names.ts";
import type { PolicyShape } from "../engine/Policy.ts";
import type { ModelParts } from "../models/loadModelParts.ts";
import { ownName, type Role, type Tuning } from "../models/WeightSource.ts";

/** Buffers of a policy by name: weights of its roles, and moments of its optimisers. */
export type PolicyState = Readonly<Record<string, Float32Array>>;

/** Default adapter: rank 16, alpha 32, all linear layers. */
export const DEFAULT_LORA: LoraSettings = { lora_r: 16, lora_alpha: 32, target_modules: "all-linear" };

/**
 * How a model is trained: as requested; else rlkit's own models whole, and all others with an adapter.
 */
export function tuningOf({ config, built_in }: ModelParts, asked: LoraSettings | "whole" | null): Tuning {
  if (asked === "whole" || (built_in && asked === null)) return { kind: "whole" };
  return tuningOfAdapter(config, asked ?? DEFAULT_LORA);
}

export interface PolicyStart {
  readonly parts: ModelParts;
  readonly lora: LoraSettings | null;
  readonly shape: PolicyShape;
  readonly seed: number;
}

/**
 * A policy before its first update: the model's weights, or an adapter without effect. The reference equals
 * the actor, and the value head is 0. Optimiser moments appear with the first update.
 */
export function initialState({ parts, lora, shape, seed }: PolicyStart): PolicyState {
  const state: Record<string, Float32Array> = {};
  const own = (role: Role): Iterable<readonly [string, Float32Array]> =>
    shape.tuning.kind === "whole"
      ? parts.weights
      : initialAdapter(parts.config, lora ?? DEFAULT_LORA, { seed, stream: `llm.${role}` });
  const begin = (role: Role, as: Role = role): void => {
    for (const [name, values] of own(as)) state[ownName(role, name)] = values.slice();
  };
  begin("actor");
  if (shape.reference) begin("reference", "actor");
  if (shape.critic) {
    begin("critic");
    state[ownName("critic", VALUE_HEAD.weight)] = new Float32Array(parts.config.hidden_size);
    state[ownName("critic", VALUE_HEAD.bias)] = new Float32Array(1);
  }
  return state;
}
