/** Network inputs from the observations of a rollout. */
import { reshape, scan, type Tensor, takeRows } from "../../kernels/index.ts";
import type { Latents, Networks } from "../contract/network.ts";
import type { Algorithm } from "../contract/onPolicy.ts";
import type { AgentSpaces, Space } from "../spaces.ts";
import { lanes, networkInput } from "./lanes.ts";
import type { AgentStructure } from "./learning.ts";
import { encodeStep, type Memory, mapMemory } from "./memory.ts";
import { observationField } from "./replayFields.ts";
import { flat, horizon, type Rollout } from "./rollout.ts";
import { isPacked, unpacked } from "./rowLayout.ts";

/** Network inputs [n, inputs] from observations as a rollout stores them, [n, ...]. */
export const storedInput = (structure: AgentStructure, space: Space, stored: Tensor): Tensor =>
  networkInput(structure, space, unpacked(observationField(space), stored));

export interface RolloutInputs {
  /** Network inputs of rows of the rollout, i32 [n], as [n, inputs]. */
  readonly at: (index: Tensor) => Tensor;
  /**
   * Applies `of` to the latent vectors of all steps; it returns a number per step, or one per agent:
   * [horizon, num_envs, ...].
   */
  readonly each: (algorithm: Algorithm, networks: Networks, of: (latents: Latents) => Tensor) => Tensor;
}

/**
 * Observations stored as bytes are unpacked a few rows at a time, because unpacking all of them would take
 * four times the memory.
 */
export function rolloutInputs(
  structure: AgentStructure,
  layout: AgentSpaces,
  rollout: Pick<Rollout, "obs" | "memory">,
): RolloutInputs {
  const space = layout.observation_space;
  const rows = flat(rollout.obs);
  if (isPacked(observationField(space))) {
    return {
      at: (index) => storedInput(structure, space, takeRows(rows, index)),
      each: (algorithm, networks, of) => {
        const names = Object.keys(rollout.memory);
        const { ys } = scan(
          { count: horizon, carry: [], xs: [rollout.obs, ...Object.values(rollout.memory)] },
          (_carry, [obs, ...before]) => {
            const memory: Memory = Object.fromEntries(names.map((name, i) => [name, before[i] as Tensor]));
            const input = storedInput(structure, space, obs as Tensor);
            return { carry: [], ys: [of(encodeStep(algorithm, networks, input, layout, memory).latents)] };
          },
        );
        return ys[0] as Tensor;
      },
    };
  }
  const inputs = networkInput(structure, space, rows);
  return {
    at: (index) => takeRows(inputs, index),
    each: (algorithm, networks, of) => {
      const { latents } = encodeStep(algorithm, networks, inputs, layout, mapMemory(rollout.memory, flat));
      const values = of(latents);
      return reshape(values, [horizon, lanes, ...values.shape.slice(1)]);
    },
  };
}
