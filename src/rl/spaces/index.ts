/** Observation and action spaces, with Gymnasium's names and semantics. */
export type { AgentSpaces } from "./AgentSpaces.ts";
export { type AgentPart, Agents } from "./Agents.ts";
export { Box, type BoxOptions } from "./Box.ts";
export { Dict } from "./Dict.ts";
export { Discrete } from "./Discrete.ts";
export type { ElementParts, SpaceElement } from "./elementRows.ts";
export { type ImageLayout, imageLayout, isImage } from "./image.ts";
export { MultiBinary } from "./MultiBinary.ts";
export { MultiDiscrete } from "./MultiDiscrete.ts";
export type { SpacePart } from "./parts.ts";
export {
  type CompositeSpace,
  describeSpace,
  elementSize,
  flatSize,
  isComposite,
  observationKind,
  type SimpleSpace,
  type SingleAgentSpace,
  type Space,
} from "./Space.ts";
export { type SpaceJson, spaceFromJson, spaceToJson } from "./spaceJson.ts";
export { Tuple } from "./Tuple.ts";
export type { SpaceArray, SpaceDType, SpaceValue } from "./values.ts";
