/** A caller's replay buffer as the memory of a run. */
import type { ReplayBuffer } from "../rl/buffers/index.ts";
import type { ReplayState } from "./run/runState.ts";

/** The buffer's segments themselves: what the run stores, the buffer holds. */
export const memoryState = ({ segment, rings, segments }: ReplayBuffer): ReplayState => ({
  segment,
  rings,
  segments,
});

/** Tells the buffer how far its segments are filled after a run. */
export function settleMemory(memory: ReplayBuffer, replay: ReplayState | null): void {
  replay?.rings.forEach((ring, slot) => memory.setRing(slot, ring));
}
