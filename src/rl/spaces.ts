/** Door: spaces and their elements. */
export { type AgentPart, Agents } from "./spaces/Agents.ts";
export { Box, type BoxOptions } from "./spaces/Box.ts";
export { type BoxScale, boxScale, OFFLINE_RANGE, type PolicyRange } from "./spaces/boxScale.ts";
export { Dict, type SpacePart, Tuple } from "./spaces/Dict.ts";
export { Discrete, MultiBinary, MultiDiscrete } from "./spaces/Discrete.ts";
export { ElementCheck, type ElementFault, placeInElement } from "./spaces/ElementCheck.ts";
export { type ElementParts, elementNumbers, elementRows, type SpaceElement } from "./spaces/elementRows.ts";
export { type StackedPart, stackedParts, stackedSpace } from "./spaces/frameStack.ts";
export { type GoalParts, requireGoals } from "./spaces/goals.ts";
export { normalizedRuns, statisticsSizes } from "./spaces/normalized.ts";
export * from "./spaces/Space.ts";
export { type SpaceJson, spaceFromJson, spaceToJson } from "./spaces/spaceJson.ts";
export * from "./spaces/values.ts";
