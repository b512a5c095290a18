/** Memories of the host: replay for off-policy learning, roll-outs for on-policy learning. */
export { ReplayBuffer, type ReplayBufferOptions, type SegmentRange } from "./ReplayBuffer.ts";
export type { StoredArrays } from "./replayArrays.ts";
export type { Transition, TransitionBatch } from "./transitions.ts";
