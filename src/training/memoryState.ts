/** A caller's replay buffer as the memory of a run. */
import type { ReplayBuffer } from "../rl/buffers/index.ts";
import type { TransitionLayout } from "../rl/programs/replayFields.ts";
import type { Segment } from "../rl/runtime/replayMemory.ts";
import type { ReplayState, RunState } from "./run/runState.ts";

/** The buffer's segments themselves: what the run stores, the buffer holds. */
export const memoryState = ({ segment, rings, segments }: ReplayBuffer): ReplayState => ({
  segment,
  rings: [...rings],
  segments,
  priorities: null,
});

/** A new run's state with the caller's buffer, as it stands, for its memory. */
export function adoptMemory(
  state: RunState,
  memory: ReplayBuffer | null,
  layout: TransitionLayout,
): RunState {
  if (!memory || !state.replay) return state;
  memory.configure(layout, state.members.length);
  return { ...state, replay: memoryState(memory) };
}

/**
 * A saved run's state with its memory in the caller's buffer, which forgets what it held.
 * @throws RangeError when the buffer is of another size.
 */
export function fillMemory(state: RunState, memory: ReplayBuffer | null, layout: TransitionLayout): RunState {
  const { replay, members } = state;
  if (!memory || !replay) return state;
  const { segment, segments, rings } = replay;
  if (Math.floor(memory.max_size / members.length) !== segment) {
    throw new RangeError(
      `replay_buffer: found a memory of ${memory.max_size} transitions, and the checkpoint's holds ${segment} for each of ${members.length} members; give one of max_size ${segment * members.length}`,
    );
  }
  memory.clear();
  memory.configure(layout, members.length);
  segments.forEach((rows, slot) => {
    const ring = rings[slot] as Segment;
    memory.write({ slot, start: 0, count: ring.count, rows });
    memory.setRing(slot, ring);
  });
  return { ...state, replay: memoryState(memory) };
}

/** Tells the buffer how far its segments are filled after a run. */
export function settleMemory(memory: ReplayBuffer, replay: ReplayState | null): void {
  replay?.rings.forEach((ring, slot) => memory.setRing(slot, ring));
}
