import type { z } from "zod";
import { parseSpec } from "../../specs/parseSpec.ts";
import type { CompiledEnvironment } from "./compiledEnvironment.ts";

/**
 * An environment whose maker takes arguments, as Gymnasium's does: with their defaults by itself, with others through
 * its options.
 * @param Arguments Gymnasium's names, all of which have defaults.
 */
export function withArguments<Arguments extends z.ZodType>(
  id: string,
  Arguments: Arguments,
  build: (given: z.output<Arguments>) => CompiledEnvironment,
): CompiledEnvironment {
  const make = (given: unknown): CompiledEnvironment => ({
    ...build(parseSpec(Arguments, given, id)),
    withOptions: make,
  });
  return make({});
}
