/** The MinAtar games (Young and Tian 2019, arXiv 1903.03176), with the minimal actions of their -v1 ids. */
export { Asterix } from "./Asterix.ts";
export { Breakout } from "./Breakout.ts";
export { Freeway } from "./Freeway.ts";
export type { MinAtarEnvironment } from "./minAtarGame.ts";
export { Seaquest } from "./Seaquest.ts";
export { SpaceInvaders } from "./SpaceInvaders.ts";
