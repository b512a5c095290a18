import { z } from "zod";
import { parseSpec } from "../../../specs/checks.ts";
import { elementSize, type Space } from "../../spaces.ts";
import type { DrawEnvironment, Glyph } from "../drawing/drawing.ts";

const Shape = z.strictObject({
  path: z.string().min(1),
  style: z.enum(["body", "moving", "guide"]).optional(),
});

const Shown = z.strictObject({
  draw: z.custom((value) => typeof value === "function", "must be a function").optional(),
  glyph: z.array(Shape).optional(),
  frame_rate: z.number().positive().optional(),
  place: z.custom((value) => typeof value === "function", "must be a function").optional(),
  observation_names: z.array(z.string().min(1)).optional(),
  action_names: z.array(z.string().min(1)).optional(),
});

/** How many names the elements of a space need: the choices of a Discrete space, otherwise its numbers. */
const namesOf = (space: Space): number => (space.kind === "Discrete" ? space.n : elementSize(space));

/** The fields of an environment that its names have to fit. */
interface Named extends Appearance {
  readonly id: string;
  readonly observation_space: Space;
  readonly action_space: Space;
}

/**
 * @throws SpecError naming the environment's id and each invalid field of its appearance.
 * @throws RangeError when the number of names does not fit a space.
 */
export function requireAppearance({ id, observation_space, action_space, ...shown }: Named): void {
  const { draw, glyph, frame_rate, place, observation_names, action_names } = shown;
  parseSpec(Shown, { draw, glyph, frame_rate, place, observation_names, action_names }, id);
  for (const [field, names, space] of [
    ["observation_names", observation_names, observation_space],
    ["action_names", action_names, action_space],
  ] as const)
    if (names && names.length !== namesOf(space))
      throw new RangeError(
        `${id}: ${field}: found ${names.length} names, allowed ${namesOf(space)}, one for each ${space.kind === "Discrete" ? "choice" : "number"} of the space`,
      );
}

/** How an environment is displayed. Training does not use it. */
export interface Appearance {
  /**
   * Draws a state. If options change the scene, `withOptions` returns an environment with another drawing.
   */
  readonly draw?: DrawEnvironment;
  /** Small picture shown beside the environment's name (default: an abstract picture). */
  readonly glyph?: Glyph;
  /** Steps per second when episodes are played back; Gymnasium's `render_fps` (default: 30). */
  readonly frame_rate?: number;
  /** How far forward a body is in a state, m. If it is there, players show distance and speed. */
  readonly place?: (state: ArrayLike<number>) => number;
  /**
   * Names of an observation's numbers in order, such as "cart position"; of a Discrete observation, names of its values
   * (default: none).
   */
  readonly observation_names?: readonly string[];
  /** Names of an action's numbers in order; of a Discrete action, names of its choices (default: none). */
  readonly action_names?: readonly string[];
}

/** Copies the appearance into plain fields; `draw` is bound to its environment. */
export const appearanceOf = (environment: Appearance): Appearance => {
  const { glyph, frame_rate, observation_names, action_names } = environment;
  return {
    ...(environment.draw && { draw: environment.draw.bind(environment) }),
    ...(glyph && { glyph }),
    ...(frame_rate !== undefined && { frame_rate }),
    ...(observation_names && { observation_names }),
    ...(action_names && { action_names }),
    ...(environment.place && { place: environment.place.bind(environment) }),
  };
};
