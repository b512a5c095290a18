/** Door: spaces and their elements. */
export { type AgentPart, Agents } from "./spaces/Agents.ts";
export { Box, type BoxOptions } from "./spaces/Box.ts";
export type { BoxScale } from "./spaces/boxScale.ts";
export { Dict, type SpacePart, Tuple } from "./spaces/Dict.ts";
export { Discrete, MultiBinary, MultiDiscrete } from "./spaces/Discrete.ts";
export { ElementCheck, type ElementFault, placeInElement } from "./spaces/ElementCheck.ts";
export { type ElementParts, elementNumbers, elementRows, type SpaceElement } from "./spaces/elementRows.ts";
export { type StackedPart, stackedParts, stackedSpace } from "./spaces/frameStack.ts";
export { type NormalizedRun, normalizedRuns, statisticsSizes } from "./spaces/normalized.ts";
export {
  type AgentChoices,
  type AgentSpaces,
  agentChoices,
  type CompositeSpace,
  choicesOf,
  describeSpace,
  elementSize,
  flatSize,
  hostLayout,
  type ImageLayout,
  imageLayout,
  isComposite,
  isImage,
  type ObservationKind,
  observationKind,
  type SimpleSpace,
  type SingleAgentSpace,
  type Space,
} from "./spaces/Space.ts";
export { type SpaceJson, spaceFromJson, spaceToJson } from "./spaces/spaceJson.ts";
export {
  describeValue,
  firstNotFinite,
  isArrayLike,
  isClass,
  isFiniteNumber,
  isPromise,
  keysOf,
  type SpaceArray,
  type SpaceDType,
  type SpaceValue,
} from "./spaces/values.ts";
