/** Drawings of environments by id. */

import type { EnvironmentOptions } from "../environmentOptions.ts";
import { MOUNTAIN_CAR_FLAG } from "../MountainCar.ts";
import { MOUNTAIN_CAR_CONTINUOUS_FLAG } from "../MountainCarContinuous.ts";
import { Asterix, Breakout, Freeway, Seaquest, SpaceInvaders } from "../minatar/index.ts";
import { probeEnvironments } from "../probes/index.ts";
import { type FrozenLakeMapName, frozenLakeOptions } from "../toyText/frozenLakeMap.ts";
import { drawAcrobot } from "./drawAcrobot.ts";
import { drawBlackjack } from "./drawBlackjack.ts";
import { drawCartPole } from "./drawCartPole.ts";
import { drawCliffWalking } from "./drawCliffWalking.ts";
import { frozenLakeDrawing } from "./drawFrozenLake.ts";
import type { DrawEnvironment } from "./drawing.ts";
import { drawLunarLander } from "./drawLunarLander.ts";
import { drawMinAtar } from "./drawMinAtar.ts";
import { mountainCarDrawing } from "./drawMountainCar.ts";
import { drawPendulum } from "./drawPendulum.ts";
import { probeDrawing } from "./drawProbe.ts";
import { drawTaxi } from "./drawTaxi.ts";

const drawMountainCar = mountainCarDrawing(MOUNTAIN_CAR_FLAG, (action) => action - 1);

const drawings = new Map<string, DrawEnvironment>([
  ["CartPole-v1", drawCartPole],
  ["Acrobot-v1", drawAcrobot],
  ["MountainCar-v0", drawMountainCar],
  ["MountainCarContinuous-v0", mountainCarDrawing(MOUNTAIN_CAR_CONTINUOUS_FLAG, (action) => action)],
  ["Pendulum-v1", drawPendulum],
  ["LunarLander-v3", drawLunarLander],
  ["LunarLanderContinuous-v3", drawLunarLander],
  ["rlkit/CartPole-masked-v1", drawCartPole],
  ["rlkit/Acrobot-masked-v1", drawAcrobot],
  ["rlkit/MountainCar-masked-v0", drawMountainCar],
  ["rlkit/Pendulum-masked-v1", drawPendulum],
  ["CliffWalking-v1", drawCliffWalking],
  ["CliffWalkingSlippery-v1", drawCliffWalking],
  ["Taxi-v3", drawTaxi],
  ["Taxi-v4", drawTaxi],
  ["Blackjack-v1", drawBlackjack],
  ...probeEnvironments.map((probe): [string, DrawEnvironment] => [probe.environment.id, probeDrawing(probe)]),
  ...[Asterix, Breakout, Freeway, Seaquest, SpaceInvaders].map((game): [string, DrawEnvironment] => [
    game.id,
    drawMinAtar(game),
  ]),
]);

const lake = (id: string, map_name: FrozenLakeMapName): [string, DrawConfigured] => [
  id,
  (options) => frozenLakeDrawing(frozenLakeOptions(id, map_name, options).map),
];

type DrawConfigured = (options: EnvironmentOptions) => DrawEnvironment;

/** Of environments whose options change how they look. */
const configuredDrawings = new Map<string, DrawConfigured>([
  lake("FrozenLake-v1", "4x4"),
  lake("FrozenLake8x8-v1", "8x8"),
]);

/** Makes a drawing known for an environment, in place of any before. */
export function registerDrawing(id: string, draw: DrawEnvironment): void {
  configuredDrawings.delete(id);
  drawings.set(id, draw);
}

/**
 * The drawing of an environment, or null when it has none.
 * @param options That the environment was made with beside its name; none unless given.
 */
export function drawEnvironment(id: string, options: EnvironmentOptions = {}): DrawEnvironment | null {
  const { max_episode_steps: _limit, ...own } = options;
  return configuredDrawings.get(id)?.(own) ?? drawings.get(id) ?? null;
}
