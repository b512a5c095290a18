import type { z } from "zod";
import { RLKIT_ONLY_KEY } from "../specs/checks.ts";
import type { AlgoSpec } from "./AlgoSpec.ts";
import { algorithmDefinition } from "./registry.ts";

/** A field that the Python relative does not know. */
export interface OwnField {
  readonly name: string;
  /** Whether it has its default, which matches the relative's behaviour without the field. */
  readonly isDefault: boolean;
}

/** The fields of an algorithm's section that the Python relative does not know. */
export function ownFields(spec: AlgoSpec): OwnField[] {
  const { schema } = algorithmDefinition(spec.name);
  const given: Readonly<Record<string, unknown>> = { ...spec };
  const own = Object.entries(schema.shape).filter(
    ([, field]: [string, z.ZodType]) => field.meta()?.[RLKIT_ONLY_KEY] === true,
  );
  return own.map(([name, field]: [string, z.ZodType]) => ({
    name,
    isDefault: JSON.stringify(field.parse(undefined)) === JSON.stringify(given[name]),
  }));
}
