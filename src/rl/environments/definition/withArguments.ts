import { z } from "zod";
import { parseSpec } from "../../../specs/parseSpec.ts";
import type { CompiledEnvironment } from "./compiledEnvironment.ts";

/** Every environment has it; it is dealt with before its own arguments, and named where another one is unknown. */
const TIME_LIMIT = { max_episode_steps: z.undefined().optional() };

/**
 * An environment whose maker takes arguments, as Gymnasium's does: with their defaults by itself, with others through
 * its options.
 * @param own Gymnasium's names, all of which have defaults.
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
