/** Both BipedalWalker environments, without their physics: spaces, options, looks. */
import { z } from "zod";
import { parseSpec } from "../../../specs/checks.ts";
import { Box } from "../../spaces.ts";
import type { HostEnvironmentDefinition } from "../definition/hostEnvironmentDefinition.ts";
import type { Glyph } from "../drawing/drawing.ts";
import { drawBipedalWalker, hullPlace } from "./drawBipedalWalker.ts";
import { LIDAR_RAYS } from "./geometry.ts";

/** Bounds of a leg's hip angle, hip speed, knee angle, knee speed and ground contact. */
const LEG = { low: [-Math.PI, -5, -Math.PI, -5, 0], high: [Math.PI, 5, Math.PI, 5, 5] };
const rays = (bound: number): number[] => LIDAR_RAYS.map(() => bound);

/** Hull (angle, angular velocity, velocities along and up), first leg, second leg, ten lidar distances. */
export const BIPEDAL_WALKER_OBSERVATIONS = new Box({
  low: [-Math.PI, -5, -5, -5, ...LEG.low, ...LEG.low, ...rays(-1)],
  high: [Math.PI, 5, 5, 5, ...LEG.high, ...LEG.high, ...rays(1)],
});

/** Hip and knee of the first leg, then of the second: the sign is a direction, the size a torque. */
export const BIPEDAL_WALKER_MOTORS = new Box({ low: -1, high: 1, shape: [4] });

const LEGS = ["first", "second"];
const OBSERVATION_NAMES = [
  "hull angle",
  "hull angular velocity",
  "velocity along x",
  "velocity along y",
  ...LEGS.flatMap((leg) => [
    ...["hip", "knee"].flatMap((joint) => [`${leg} ${joint} angle`, `${leg} ${joint} speed`]),
    `${leg} leg touches`,
  ]),
  ...LIDAR_RAYS.map((_, ray) => `lidar ray ${ray + 1}`),
];
const MOTOR_NAMES = LEGS.flatMap((leg) => [`${leg} hip`, `${leg} knee`]);

/** Gymnasium's arguments of BipedalWalker, under Gymnasium's names. */
interface BipedalWalkerOptions {
  /** Whether the terrain has stumps, stairs and pits. */
  readonly hardcore: boolean;
}

const BipedalWalkerOptions: z.ZodType<BipedalWalkerOptions> = z.strictObject({
  hardcore: z.boolean().default(false),
});

/** Fills in defaults. @throws SpecError naming each option that is unknown or out of range. */
export const bipedalWalkerOptions = (id: string, given: unknown): BipedalWalkerOptions =>
  parseSpec(BipedalWalkerOptions, given, id);

const glyph = (hardcore: boolean): Glyph => [
  { path: hardcore ? "M4 42h20v-6h8v6h16v4h8v-4h12" : "M4 42 18 40l14 2 16-1 20 1" },
  { path: "M24 20V12h18l8 4v4z", style: "body" },
  { path: "M36 20l-6 9 2 12" },
  { path: "M36 20l8 8 2 12", style: "moving" },
  { path: "M50 17 66 30M50 17 60 36", style: "guide" },
];

function bipedalWalker(id: string, max_episode_steps: number, hardcore: boolean): HostEnvironmentDefinition {
  const reward_threshold = 300;
  const definition: HostEnvironmentDefinition = {
    id,
    withOptions: (options) => {
      bipedalWalkerOptions(id, options);
      return definition;
    },
    observation_space: BIPEDAL_WALKER_OBSERVATIONS,
    action_space: BIPEDAL_WALKER_MOTORS,
    max_episode_steps,
    reward_threshold,
    draw: drawBipedalWalker,
    observation_names: OBSERVATION_NAMES,
    action_names: MOTOR_NAMES,
    place: hullPlace,
    glyph: glyph(hardcore),
    frame_rate: 50,
    load: async () => {
      // Loaded on first use, because the physics engine is large.
      const { makeBipedalWalker } = await import("./BipedalWalker.ts");
      return (options) => makeBipedalWalker({ id, reward_threshold, hardcore }, options);
    },
  };
  return definition;
}

/** BipedalWalker over slightly uneven terrain. */
export const BipedalWalker = bipedalWalker("BipedalWalker-v3", 1600, false);
/** BipedalWalker over terrain with stumps, stairs and pits. */
export const BipedalWalkerHardcore = bipedalWalker("BipedalWalkerHardcore-v3", 2000, true);
