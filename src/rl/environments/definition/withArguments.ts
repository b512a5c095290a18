import { z } from "zod";
import { parseSpec } from "../../../specs/checks.ts";
import type { CompiledEnvironment } from "./compiledEnvironment.ts";

/**
 * Handled before an environment's own arguments; listed so that errors about unknown arguments mention it.
 */
const TIME_LIMIT = { max_episode_steps: z.undefined().optional() };

/**
 * Makes an environment with arguments, like Gymnasium's: it has their defaults, and `withOptions` sets other
 * values.
 * @param own The arguments under Gymnasium's names; all must have defaults.
 */
export function withArguments<Own extends z.ZodRawShape>(
  id: string,
  own: Own,
  build: (given: z.output<z.ZodObject<Own>>) => CompiledEnvironment,
): CompiledEnvironment {
  const Arguments = z.strictObject({ ...own, ...TIME_LIMIT });
  const make = (given: unknown): CompiledEnvironment => ({
    ...build(parseSpec(Arguments, given, id) as z.output<z.ZodObject<Own>>),
    withOptions: make,
  });
  return make({});
}
