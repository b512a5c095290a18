/** Buffers on the host: replay buffers for off-policy learning, rollout buffers for on-policy learning. */

export type { ExperienceBatch, Experiences } from "./experiences.ts";
export {
  type MultiStepBatch,
  MultiStepReplayBuffer,
  type MultiStepReplayBufferOptions,
  type VectorTransitions,
} from "./MultiStepReplayBuffer.ts";
export {
  type PrioritizedBatch,
  type PrioritizedDrawOptions,
  PrioritizedReplayBuffer,
  type PrioritizedReplayBufferOptions,
} from "./PrioritizedReplayBuffer.ts";
export {
  type DrawOptions,
  ReplayBuffer,
  type ReplayBufferOptions,
  type SegmentRange,
} from "./ReplayBuffer.ts";
export { type Rollout, RolloutBuffer, type RolloutBufferOptions, type RolloutStep } from "./RolloutBuffer.ts";
export type { StoredArrays } from "./replayArrays.ts";
export type { TeamExperiences } from "./teamExperiences.ts";
