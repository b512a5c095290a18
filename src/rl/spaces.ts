/** Door: spaces and their elements. */
export { type AgentSpaces, hostLayout } from "./spaces/AgentSpaces.ts";
export { Agents } from "./spaces/Agents.ts";
export { Box } from "./spaces/Box.ts";
export { Dict } from "./spaces/Dict.ts";
export { Discrete } from "./spaces/Discrete.ts";
export { describeValue, isArrayLike, isClass, isPromise } from "./spaces/describeValue.ts";
export { ElementCheck } from "./spaces/ElementCheck.ts";
export { elementNumbers, type SpaceElement } from "./spaces/elementRows.ts";
export { MultiBinary } from "./spaces/MultiBinary.ts";
export { MultiDiscrete } from "./spaces/MultiDiscrete.ts";
export {
  describeSpace,
  elementSize,
  flatSize,
  isComposite,
  type SimpleSpace,
  type SingleAgentSpace,
  type Space,
} from "./spaces/Space.ts";
export { type SpaceJson, spaceFromJson, spaceToJson } from "./spaces/spaceJson.ts";
export { Tuple } from "./spaces/Tuple.ts";
export type { SpaceDType } from "./spaces/values.ts";
