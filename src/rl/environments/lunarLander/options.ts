import { z } from "zod";
import { parseSpec } from "../../../specs/checks.ts";

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
