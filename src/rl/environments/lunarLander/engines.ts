/**
 * LunarLander's engines: their powers in a step, and the impulses that follow. The main engine below lifts;
 * the engines at the sides turn and shift.
 */
import { type Body, Vec2 } from "planck";
import { PIXELS_PER_METRE } from "./geometry.ts";

/** Engine powers in a step: main from 0 to 1, side from -1 (pushes left) to 1 (pushes right). */
export interface Throttle {
  readonly main: number;
  readonly side: number;
}

export const IDLE: Throttle = { main: 0, side: 0 };

/** Engine powers of a discrete action. */
export function switched([choice]: readonly number[]): Throttle {
  if (choice === 2) return { main: 1, side: 0 };
  return { main: 0, side: choice === 1 ? -1 : choice === 3 ? 1 : 0 };
}

/** Engine powers of a continuous action: main engine 0 or at least 0.5, side engines 0 or above 0.5. */
export function throttled([main = 0, side = 0]: readonly number[]): Throttle {
  const sideways = Math.min(1, Math.abs(side));
  return {
    main: main > 0 ? 0.5 + Math.min(1, main) / 2 : 0,
    side: sideways > 0.5 ? Math.sign(side) * sideways : 0,
  };
}

/** Impulse per metre between the lander's origin and the nozzle, N s/m. */
const MAIN_POWER = 13;
const SIDE_POWER = 0.6;
/** Distances from the lander's origin, along its axis or across, m. */
const MAIN_NOZZLE = 4 / PIXELS_PER_METRE;
const SIDE_NOZZLE = 12 / PIXELS_PER_METRE;
const SIDE_DROP = 17 / PIXELS_PER_METRE;
const SIDE_HEIGHT = 14 / PIXELS_PER_METRE;

/** Random offset of a nozzle in one step, m: along the lander's axis and across. */
export type Dispersion = readonly [along: number, across: number];

/** @param power 0.5 to 1. */
export function fireMainEngine(lander: Body, power: number, [along, across]: Dispersion): void {
  const { s, c } = lander.getTransform().q;
  const reach = MAIN_NOZZLE + 2 * along;
  const x = s * reach - c * across;
  const y = -c * reach - s * across;
  const { x: px, y: py } = lander.getPosition();
  const strength = -MAIN_POWER * power;
  lander.applyLinearImpulse(new Vec2(x * strength, y * strength), new Vec2(px + x, py + y), true);
}

/** @param direction -1 pushes to the left and turns counter-clockwise, 1 the other way. @param power 0.5 to 1. */
export function fireSideEngine(
  lander: Body,
  direction: number,
  power: number,
  [along, across]: Dispersion,
): void {
  const { s, c } = lander.getTransform().q;
  const reach = 3 * across + direction * SIDE_NOZZLE;
  const x = s * along - c * reach;
  const y = -c * along - s * reach;
  const { x: px, y: py } = lander.getPosition();
  const strength = -SIDE_POWER * power;
  const place = new Vec2(px + x - s * SIDE_DROP, py + y + c * SIDE_HEIGHT);
  lander.applyLinearImpulse(new Vec2(x * strength, y * strength), place, true);
}
