/** Both LunarLander environments, without their physics: spaces, options, looks. */
import { z } from "zod";
import { parseSpec } from "../../../specs/checks.ts";
import { Box, Discrete } from "../../spaces.ts";
import type { HostEnvironmentDefinition } from "../definition/hostEnvironmentDefinition.ts";
import type { Glyph } from "../drawing/drawing.ts";
import { drawLunarLander } from "./drawLunarLander.ts";

const TURN = 2 * Math.PI;

/** Position and velocity relative to the pad, angle, angular velocity, left and right leg contact. */
export const LUNAR_LANDER_OBSERVATIONS = new Box({
  low: [-2.5, -2.5, -10, -10, -TURN, -10, 0, 0],
  high: [2.5, 2.5, 10, 10, TURN, 10, 1, 1],
});

/** Nothing, left engine, main engine, right engine. */
export const DISCRETE_ENGINES = new Discrete(4);

/** Throttles of the main engine (on above 0) and of the side engines (on above 0.5 or below -0.5). */
export const CONTINUOUS_ENGINES = new Box({ low: -1, high: 1, shape: [2] });

const OBSERVATION_NAMES = [
  "x",
  "y",
  "velocity along x",
  "velocity along y",
  "angle",
  "angular velocity",
  "left leg touches",
  "right leg touches",
];
const ENGINE_NAMES = ["nothing", "left engine", "main engine", "right engine"];
const THROTTLE_NAMES = ["main engine", "side engines"];

const LunarLanderOptions = z.strictObject({
  continuous: z.boolean().default(false),
  gravity: z.number().gt(-12).lt(0).default(-10),
  enable_wind: z.boolean().default(false),
  wind_power: z.number().min(0).default(15),
  turbulence_power: z.number().min(0).default(1.5),
});

/** Gymnasium's arguments of LunarLander, under Gymnasium's names. */
export interface LunarLanderOptions {
  /** Whether two numbers throttle the engines, instead of switching them on or off. */
  readonly continuous: boolean;
  /** Vertical gravity, m/s^2, above -12 and below 0. */
  readonly gravity: number;
  readonly enable_wind: boolean;
  /** Largest sideways force of the wind, N; Gymnasium recommends 0 to 20. */
  readonly wind_power: number;
  /** Largest torque of the wind, N m; Gymnasium recommends 0 to 2. */
  readonly turbulence_power: number;
}

/** Fills in defaults. @throws SpecError naming each option that is unknown or out of range. */
export const lunarLanderOptions = (id: string, given: unknown): LunarLanderOptions =>
  parseSpec(LunarLanderOptions, given, id);

const glyph: Glyph = [
  { path: "M4 44 18 36h36l14 5" },
  { path: "M22 36V26l6 2.5-6 2.5M50 36V26l6 2.5-6 2.5" },
  { path: "M30 16 28 10h16l-2 6z", style: "body" },
  { path: "M31 17 28 23M41 17l3 6" },
  { path: "M36 18v9", style: "moving" },
];

/** @param throttled Default of the option `continuous`. */
function lunarLander(id: string, throttled: boolean, continuous = throttled): HostEnvironmentDefinition {
  const reward_threshold = 200;
  return {
    id,
    withOptions: (options) =>
      lunarLander(id, throttled, lunarLanderOptions(id, { continuous: throttled, ...options }).continuous),
    observation_space: LUNAR_LANDER_OBSERVATIONS,
    action_space: continuous ? CONTINUOUS_ENGINES : DISCRETE_ENGINES,
    max_episode_steps: 1000,
    reward_threshold,
    draw: drawLunarLander,
    observation_names: OBSERVATION_NAMES,
    action_names: continuous ? THROTTLE_NAMES : ENGINE_NAMES,
    glyph,
    frame_rate: 50,
    load: async () => {
      // Loaded on first use, because the physics engine is large.
      const { makeLunarLander } = await import("./LunarLander.ts");
      return (options) => makeLunarLander({ id, reward_threshold, continuous: throttled }, options);
    },
  };
}

/** LunarLander with four engine commands. */
export const LunarLanderDiscrete = lunarLander("LunarLander-v3", false);
/** LunarLander with two throttles. */
export const LunarLanderContinuous = lunarLander("LunarLanderContinuous-v3", true);
