/** Uses a caller's replay buffer as that of a run. */
import { MultiStepReplayBuffer, PrioritizedReplayBuffer, type ReplayBuffer } from "../../agents/classes.ts";
import { observationWords, type Segment } from "../../agents/members.ts";
import type { AgentSpaces } from "../../rl/spaces.ts";
import { fillFromData, fromData, type RunData } from "../rl/datasetReplay.ts";
import type { ReplayState, RunState } from "../rl/runState.ts";
import type { GivenMemory } from "./memoryOption.ts";

/** The properties of a run that determine the buffer's layout. */
interface MemoryUse {
  readonly layout: AgentSpaces;
  readonly population: number;
  readonly num_envs: number;
}

/** Lays a buffer out for a run. */
function layOut(memory: ReplayBuffer, { layout, population, num_envs }: MemoryUse): void {
  memory.configure(layout, population);
  if (memory instanceof MultiStepReplayBuffer) memory.useLanes(num_envs);
}

/**
 * Replay state that shares the buffer's segments, so transitions that the run stores are in the buffer. All
 * members start with its priorities.
 */
export function memoryState(memory: ReplayBuffer): ReplayState {
  const { segment, rings, segments, masked } = memory;
  const own = memory instanceof PrioritizedReplayBuffer ? memory.priorities : null;
  return {
    segment,
    rings: [...rings],
    segments,
    priorities: own && segments.map(() => own),
    ...(masked && { masked }),
  };
}

/**
 * Lays out the buffers passed to a training function. `memory` copies the episode ends from `n_step_memory`.
 * Steps left in the windows of `n_step_memory` are flushed into both.
 * @throws RangeError when the two hold different numbers of transitions.
 */
export function layOutGiven({ memory, n_step_memory }: GivenMemory, use: MemoryUse): void {
  for (let slot = 0; slot < (n_step_memory?.population ?? 0); slot++) {
    const rest = n_step_memory?.flush({ slot });
    if (rest) memory.add(rest, { slot });
  }
  layOut(memory, use);
  if (!n_step_memory) return;
  layOut(n_step_memory, use);
  if (n_step_memory.size > 0 && JSON.stringify(n_step_memory.rings) !== JSON.stringify(memory.rings)) {
    throw new RangeError(
      `n_step_memory: found ${n_step_memory.size} transitions where memory holds ${memory.size}, allowed as many, or none: add to memory what n_step_memory.add() returns, or clear() it`,
    );
  }
  memory.segments.forEach(({ ended }, slot) => {
    const known = n_step_memory.segments[slot]?.ended;
    if (known && n_step_memory.size > 0) ended.set(known);
    else ended.fill(1);
  });
}

/** Copies the transitions of `memory` to `n_step_memory` after a run. */
export function followMemory({ memory, n_step_memory }: GivenMemory): void {
  if (n_step_memory) copyRows(n_step_memory, memory);
}

/** A new run's state that uses the caller's buffer, including its current contents. */
export function adoptMemory(
  state: RunState,
  memory: ReplayBuffer | null,
  use: Omit<MemoryUse, "population">,
): RunState {
  if (!memory || !state.replay) return state;
  layOut(memory, { ...use, population: state.members.length });
  return { ...state, replay: memoryState(memory) };
}

/**
 * A saved run's state with its transitions in the caller's buffer, which is cleared first.
 * @throws RangeError when the buffer has another size.
 */
export function fillMemory(
  state: RunState,
  memory: ReplayBuffer | null,
  use: Omit<MemoryUse, "population">,
): RunState {
  const { replay, members } = state;
  if (!memory || !replay) return state;
  const { segment, priorities, collected } = replay;
  if (Math.floor(memory.max_size / members.length) !== segment) {
    throw new RangeError(
      `replay_buffer: found a buffer of ${memory.max_size} transitions, but the checkpoint's holds ${segment} for each of ${members.length} members; give one of max_size ${segment * members.length}`,
    );
  }
  memory.clear();
  layOut(memory, { ...use, population: members.length });
  copyRows(memory, replay);
  return { ...state, replay: { ...memoryState(memory), priorities, ...(collected && { collected }) } };
}

/**
 * An offline run's state with its data in the caller's buffer.
 * @throws RangeError for a buffer that is not empty; DatasetError for data that changed since it was first
 *   read.
 */
export async function adoptData(state: RunState, memory: ReplayBuffer, data: RunData): Promise<RunState> {
  if (memory.size > 0)
    throw new RangeError(
      `replay_buffer: found ${memory.size} transitions, allowed an empty one, because the run learns only from the data set; call clear() first`,
    );
  memory.configure(data.layout, state.members.length);
  await fillFromData(memory, data);
  return { ...state, replay: { ...memoryState(memory), ...fromData(data) } };
}

/** Copies all rows to a buffer with the same layout, which stores masks if the rows have them. */
function copyRows(to: ReplayBuffer, { segments, rings }: Pick<ReplayState, "segments" | "rings">): void {
  segments.forEach((rows, slot) => {
    const ring = rings[slot] as Segment;
    to.makeRoom(observationWords(rows));
    to.write({ slot, start: 0, count: ring.count, rows });
    to.setRing(slot, ring);
  });
}

/** Updates the buffer's rings after a run. Each row keeps the priority given by the member that owns it. */
export function settleMemory(memory: ReplayBuffer, replay: ReplayState | null): void {
  // A run that met masks has moved to segments of its own.
  if (replay?.masked && !memory.masked) copyRows(memory, replay);
  replay?.rings.forEach((ring, slot) => memory.setRing(slot, ring));
  if (!replay?.priorities || !(memory instanceof PrioritizedReplayBuffer)) return;
  const { segment, priorities } = replay;
  const leaves = new Float32Array(segment * priorities.length);
  priorities.forEach((own, slot) => {
    const [from, to] = [slot * segment, (slot + 1) * segment];
    leaves.set(own.leaves.subarray(from, to), from);
  });
  memory.setPriorities({ leaves, largest: Math.max(...priorities.map(({ largest }) => largest)) });
}
