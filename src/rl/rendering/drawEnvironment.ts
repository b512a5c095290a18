/** Drawings of environments by id. */
import { drawAcrobot } from "./drawAcrobot.ts";
import { drawCartPole } from "./drawCartPole.ts";
import type { DrawEnvironment } from "./drawing.ts";
import { drawLunarLander } from "./drawLunarLander.ts";
import { drawMountainCar } from "./drawMountainCar.ts";
import { drawPendulum } from "./drawPendulum.ts";

const drawings = new Map<string, DrawEnvironment>([
  ["CartPole-v1", drawCartPole],
  ["Acrobot-v1", drawAcrobot],
  ["MountainCar-v0", drawMountainCar],
  ["Pendulum-v1", drawPendulum],
  ["LunarLander-v3", drawLunarLander],
  ["LunarLanderContinuous-v3", drawLunarLander],
]);

/** Makes a drawing known for an environment, in place of any before. */
export function registerDrawing(id: string, draw: DrawEnvironment): void {
  drawings.set(id, draw);
}

/** The drawing of an environment, or null when it has none. */
export const drawEnvironment = (id: string): DrawEnvironment | null => drawings.get(id) ?? null;
