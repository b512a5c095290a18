/** What actions ask of LunarLander's engines. */

/** Power of the engines in a step: main 0 to 1, side -1 (to the left) to 1 (to the right). */
export interface Throttle {
  readonly main: number;
  readonly side: number;
}

export const IDLE: Throttle = { main: 0, side: 0 };

/** The engine that a choice fires. */
export function switched([choice]: readonly number[]): Throttle {
  if (choice === 2) return { main: 1, side: 0 };
  return { main: 0, side: choice === 1 ? -1 : choice === 3 ? 1 : 0 };
}

/** The main engine burns at half power or more, the side engines from half power on. */
export function throttled([main = 0, side = 0]: readonly number[]): Throttle {
  const sideways = Math.min(1, Math.abs(side));
  return {
    main: main > 0 ? 0.5 + Math.min(1, main) / 2 : 0,
    side: sideways > 0.5 ? Math.sign(side) * sideways : 0,
  };
}
