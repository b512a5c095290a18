/** Conversion of LunarLander's actions into engine powers. */

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
