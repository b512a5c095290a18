/** Door: environments in JavaScript: their faces, and lanes of them. */

export * from "./environments/face/actionMasks.ts";
export { EnvironmentError, nameOf, thrownBy, UnstablePhysics } from "./environments/face/EnvironmentError.ts";
export { FRAME_STACK, frameStackOf } from "./environments/face/frameStackOption.ts";
export type * from "./environments/face/HostEnvironment.ts";
export type { GoalBatch, GoalOutcome } from "./environments/face/hostGoals.ts";
export * from "./environments/face/ParallelEnvironment.ts";
export { type Packet, packed, unpacked } from "./environments/face/packet.ts";
export { plainFault } from "./environments/face/plainData.ts";
export { requireEnvironment } from "./environments/face/requireEnvironment.ts";
export * from "./environments/face/VectorEnvironment.ts";
export type { EpisodePlace } from "./environments/vector/EpisodeLane.ts";
export { FrameStacks } from "./environments/vector/FrameStacks.ts";
export { SyncVectorEnvironment } from "./environments/vector/SyncVectorEnvironment.ts";
