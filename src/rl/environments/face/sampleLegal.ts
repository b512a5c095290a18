import type { Random } from "../../../evolution/random.ts";
import { agentChoices } from "../../spaces/choices.ts";
import type { SingleAgentSpace, Space } from "../../spaces/index.ts";

/**
 * A random action, uniform over the legal choices. The numbers of all agents' actions are concatenated.
 * @param mask Mask of one lane, from `infoMasks`; null if the action space has no choices.
 */
export function sampleLegal(space: Space, random: Random, mask: Float32Array | null): readonly number[] {
  if (space.kind !== "Agents") return sampleOne(space, random, mask);
  const shares = agentChoices(space);
  return space.agents.flatMap(({ id, space: own }) => {
    const share = shares.find((one) => one.id === id);
    const legal = share && mask ? mask.subarray(share.start, share.start + share.size) : null;
    return sampleOne(own, random, legal);
  });
}

function sampleOne(space: SingleAgentSpace, random: Random, mask: Float32Array | null): readonly number[] {
  if (mask && space.kind === "Discrete") return [space.start + legalChoice(mask, random)];
  if (mask && space.kind === "MultiDiscrete") {
    let start = 0;
    return space.nvec.map((n) => {
      start += n;
      return legalChoice(mask.subarray(start - n, start), random);
    });
  }
  const action = space.sample(random);
  if (typeof action === "number") return [action];
  return mask && space.kind === "MultiBinary"
    ? Array.from(action, (bit, i) => bit * (mask[i] ?? 1))
    : Array.from(action);
}

/** A random choice whose mask is 1. Every mask has at least one. */
function legalChoice(mask: Float32Array, random: Random): number {
  const legal = Array.from(mask.keys()).filter((choice) => mask[choice] === 1);
  return random.choice(legal);
}
