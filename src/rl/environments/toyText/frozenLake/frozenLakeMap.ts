import { z } from "zod";
import { parseSpec } from "../../../../specs/checks.ts";
import type { Directions } from "../../dynamics/gridMove.ts";
import type { EnvironmentOptions } from "../../face/HostEnvironment.ts";

export const FROZEN_LAKE_DIRECTIONS: Directions = { left: 0, down: 1, right: 2, up: 3 };

/** Gymnasium's maps. */
export const FROZEN_LAKE_MAPS = {
  "4x4": ["SFFF", "FHFH", "FFFH", "HFFG"],
  "8x8": ["SFFFFFFF", "FFFFFFFF", "FFFHFFFF", "FFFFFHFF", "FFFHFFFF", "FHHFFFHF", "FHFFHFHF", "FFFHFFFG"],
} as const;

export type FrozenLakeMapName = keyof typeof FROZEN_LAKE_MAPS;

/** Rows of letters: S start, F frozen, H hole, G goal. */
export type FrozenLakeMap = readonly string[];

/** Upper bound of rows and columns, because every marked cell becomes part of the environment's program. */
const MOST_CELLS = 32;

const letters = (map: FrozenLakeMap, letter: string): number => map.join("").split(letter).length - 1;

const ownMap = z
  .array(z.string().regex(/^[SFHG]+$/, "must be a row of the letters S, F, H and G"))
  .min(1)
  .max(MOST_CELLS)
  .superRefine((map, context) => {
    const fail = (message: string) => context.addIssue({ code: "custom", message });
    const width = map[0]?.length ?? 0;
    if (map.some((row) => row.length !== width)) fail("has rows of different lengths; must have equal ones");
    if (width > MOST_CELLS) fail(`has rows of ${width} cells; must have at most ${MOST_CELLS}`);
    if (letters(map, "S") !== 1) fail(`has ${letters(map, "S")} starts (S); must have one`);
    if (letters(map, "G") === 0) fail("has no goal (G); must have one or more");
  });

const Options = z.strictObject({
  desc: ownMap.nullable().optional(),
  map_name: z.enum(Object.keys(FROZEN_LAKE_MAPS) as FrozenLakeMapName[]).optional(),
  is_slippery: z.boolean().default(true),
});

export interface FrozenLakeOptions {
  readonly map: FrozenLakeMap;
  /** If true, a step goes in the chosen direction, or to its left or right, with probability 1/3 each. */
  readonly is_slippery: boolean;
}

/**
 * Gymnasium's arguments: `desc`, a custom map that takes precedence over `map_name`, and `is_slippery`.
 * @param map_name Default of the option `map_name`.
 * @throws SpecError naming each option that is unknown or invalid.
 */
export function frozenLakeOptions(
  id: string,
  map_name: FrozenLakeMapName,
  given: EnvironmentOptions,
): FrozenLakeOptions {
  const { desc, map_name: named = map_name, is_slippery } = parseSpec(Options, given, id);
  return { map: desc ?? FROZEN_LAKE_MAPS[named], is_slippery };
}
