/** Arrow keys and the directions of a gamepad, for choices whose names say where they lead. */
import type { Space } from "../../../../rl/spaces.ts";

const DIRECTIONS = ["left", "right", "up", "down"] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** The choice that leads in a direction, of those that some choice leads in. */
export type Directions = ReadonlyMap<Direction, number>;

/** Words of names that lead in a direction. */
const WORDS: Readonly<Record<Direction, RegExp>> = {
  left: /\b(?:left|west)\b/i,
  right: /\b(?:right|east)\b/i,
  up: /\b(?:up|north|main)\b/i,
  down: /\b(?:down|south)\b/i,
};

/** Names of a choice that does nothing. */
const REST = /^(?:none|nothing|no\b.*|.* 0)$/i;

/** The choices that lead in directions; empty for other spaces, and without names. */
export function directionsOf(space: Space, names: readonly string[] | null): Directions {
  if (space.kind !== "Discrete" || names === null) return new Map();
  return new Map(
    DIRECTIONS.flatMap((direction) => {
      const at = names.findIndex((name) => WORDS[direction].test(name));
      return at < 0 ? [] : [[direction, space.start + at] as const];
    }),
  );
}

/** The choice that does nothing, for while nothing is pressed; null if there is none. */
export function restingAction(space: Space, names: readonly string[] | null): readonly number[] | null {
  if (space.kind !== "Discrete") return null;
  const at = names?.findIndex((name) => REST.test(name)) ?? -1;
  return at < 0 ? null : [space.start + at];
}
