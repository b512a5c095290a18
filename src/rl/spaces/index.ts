/** Spaces of observations and actions, with Gymnasium's names and meaning. */
export { Box, type BoxOptions } from "./Box.ts";
export { Discrete } from "./Discrete.ts";
export { MultiBinary } from "./MultiBinary.ts";
export { MultiDiscrete } from "./MultiDiscrete.ts";
export { describeSpace, elementSize, flatSize, type Space } from "./Space.ts";
export { type SpaceJson, spaceFromJson, spaceToJson } from "./spaceJson.ts";
export type { SpaceArray, SpaceDType, SpaceValue } from "./values.ts";
