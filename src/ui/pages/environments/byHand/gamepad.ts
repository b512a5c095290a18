/** Acting by hand with a gamepad: its axes are the numbers of an action, its buttons choices. */
import type { Space } from "../../../../rl/spaces.ts";
import type { Direction, Directions } from "../trial/directions.ts";

/** What is read of a gamepad in the standard layout (https://www.w3.org/TR/gamepad/#remapping). */
export interface Pad {
  /** -1 to 1; odd ones grow downwards. */
  readonly axes: readonly number[];
  readonly buttons: readonly { readonly pressed: boolean }[];
}

/** Axes that are nearer to 0 are at rest. */
const DEAD = 0.15;
/** Further out, the first stick points in a direction. */
const POINTS = 0.5;
/** Buttons of the cross. */
const CROSS: readonly (readonly [button: number, direction: Direction])[] = [
  [12, "up"],
  [13, "down"],
  [14, "left"],
  [15, "right"],
];

function directionOf({ axes: [x = 0, y = 0], buttons }: Pad): Direction | null {
  const crossed = CROSS.find(([button]) => buttons[button]?.pressed);
  if (crossed) return crossed[1];
  if (Math.max(Math.abs(x), Math.abs(y)) < POINTS) return null;
  if (Math.abs(x) >= Math.abs(y)) return x < 0 ? "left" : "right";
  return y < 0 ? "up" : "down";
}

/** The action of a gamepad; null while nothing is pressed that means one. */
export function padAction(space: Space, pad: Pad, directions: Directions): readonly number[] | null {
  if (space.kind === "Discrete") {
    const direction = directionOf(pad);
    const led = direction === null ? undefined : directions.get(direction);
    if (led !== undefined) return [led];
    const pressed = pad.buttons
      .slice(0, Math.min(space.n, CROSS[0]?.[0] ?? 0))
      .findIndex((one) => one.pressed);
    return pressed < 0 ? null : [space.start + pressed];
  }
  if (space.kind !== "Box") return null;
  const axes = Array.from(space.low, (_, i) => {
    const axis = (pad.axes[i] ?? 0) * (i % 2 === 1 ? -1 : 1);
    return Math.abs(axis) < DEAD ? 0 : axis;
  });
  if (axes.every((axis) => axis === 0)) return null;
  return axes.map((axis, i) => axis * largest(axis < 0 ? space.low[i] : space.high[i]));
}

/** The size of a bound; 1 where there is none. */
const largest = (bound = 1): number => (Number.isFinite(bound) ? Math.abs(bound) : 1);
