/** Door: spaces and their elements. */
export { type AgentSpaces, hostLayout } from "./spaces/AgentSpaces.ts";
export { type AgentPart, Agents } from "./spaces/Agents.ts";
export { Box, type BoxOptions } from "./spaces/Box.ts";
export type { BoxScale } from "./spaces/boxScale.ts";
export { type AgentChoices, agentChoices, choicesOf } from "./spaces/choices.ts";
export { Dict } from "./spaces/Dict.ts";
export { Discrete } from "./spaces/Discrete.ts";
export { describeValue, isArrayLike, isClass, isPromise, keysOf } from "./spaces/describeValue.ts";
export { ElementCheck, type ElementFault } from "./spaces/ElementCheck.ts";
export { type ElementParts, elementNumbers, elementRows, type SpaceElement } from "./spaces/elementRows.ts";
export { firstNotFinite, isFiniteNumber } from "./spaces/finiteNumbers.ts";
export { type ImageLayout, imageLayout, isImage } from "./spaces/image.ts";
export { MultiBinary } from "./spaces/MultiBinary.ts";
export { MultiDiscrete } from "./spaces/MultiDiscrete.ts";
export type { SpacePart } from "./spaces/parts.ts";
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
} from "./spaces/Space.ts";
export { type SpaceJson, spaceFromJson, spaceToJson } from "./spaces/spaceJson.ts";
export { Tuple } from "./spaces/Tuple.ts";
export type { SpaceArray, SpaceDType, SpaceValue } from "./spaces/values.ts";
