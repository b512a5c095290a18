import type { Random } from "../../../evolution/random.ts";
import { agentChoices } from "../../spaces/choices.ts";
import type { SingleAgentSpace, Space } from "../../spaces/index.ts";

/**
 * A random action, uniform among what is legal: the numbers of all agents' actions, side by side.
 * @param mask Of one lane, as `infoMasks` gives it; null where actions are no choice.
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

/** One of the choices that are 1, of which a mask has one at least. */
function legalChoice(mask: Float32Array, random: Random): number {
  const legal = Array.from(mask.keys()).filter((choice) => mask[choice] === 1);
  return random.choice(legal);
}
