/**
 * The MinAtar games (Young and Tian 2019, arXiv 1903.03176), with the minimal action sets of their -v1 ids.
 */
export { Asterix } from "./asterix/Asterix.ts";
export { Breakout } from "./breakout/Breakout.ts";
export { Freeway } from "./freeway/Freeway.ts";
export type { MinAtarEnvironment } from "./game/minAtarGame.ts";
export { Seaquest } from "./seaquest/Seaquest.ts";
export { SpaceInvaders } from "./spaceInvaders/SpaceInvaders.ts";
