/** Door: environments in JavaScript: their faces, and lanes of them. */

export {
  type ActionMask,
  hasMask,
  infoMasks,
  maskedInfos,
  maskValues,
  sampleLegal,
} from "./environments/face/actionMasks.ts";
export { EnvironmentError, nameOf, thrownBy, UnstablePhysics } from "./environments/face/EnvironmentError.ts";
export { FRAME_STACK, frameStackOf } from "./environments/face/frameStackOption.ts";
export type {
  Action,
  EnvironmentOptions,
  EnvironmentSpec,
  HostEnvironment,
  Info,
  RenderFrame,
  ResetOptions,
  ResetResult,
  StepResult,
} from "./environments/face/HostEnvironment.ts";
export {
  type ByAgent,
  isParallelEnvironment,
  type NamedEnvironment,
  type NamedParallelEnvironment,
  type ParallelEnvironment,
  type ParallelResetResult,
  type ParallelStepResult,
} from "./environments/face/ParallelEnvironment.ts";
export { type Packet, packed, unpacked } from "./environments/face/packet.ts";
export { plainFault } from "./environments/face/plainData.ts";
export { requireEnvironment } from "./environments/face/requireEnvironment.ts";
export {
  type AnyVectorEnvironment,
  type AsyncVectorEnvironment,
  endedLanes,
  isAsync,
  isVectorEnvironment,
  type LastingLanes,
  lastingLanes,
  leftAfter,
  overAfter,
  type PlacedLanes,
  type StackedPlaces,
  type VectorEnvironment,
  type VectorResetOptions,
  type VectorResetResult,
  type VectorStepResult,
} from "./environments/face/VectorEnvironment.ts";
export type { EpisodePlace } from "./environments/vector/EpisodeLane.ts";
export { FrameStacks } from "./environments/vector/FrameStacks.ts";
export { SyncVectorEnvironment } from "./environments/vector/SyncVectorEnvironment.ts";
