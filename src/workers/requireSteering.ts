import { z } from "zod";
import { MUTATION_KINDS } from "../tracking/history.ts";
import type { SteeringAction } from "../training/loop.ts";

const index = z.int().nonnegative();
const schema: z.ZodType<SteeringAction> = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("set"),
    index: index.nullable(),
    hyperparameter: z.string(),
    value: z.number(),
  }),
  z.strictObject({ kind: z.literal("clone"), index, over: index }),
  z.strictObject({ kind: z.literal("replace"), index }),
  z.strictObject({ kind: z.literal("protect"), index, on: z.boolean() }),
  z.strictObject({
    kind: z.literal("mutate"),
    index,
    what: z.enum(MUTATION_KINDS).exclude(["none"]),
  }),
]);

/** @throws RangeError naming the invalid part of the action. */
export function requireSteering(action: unknown): SteeringAction {
  const parsed = schema.safeParse(action);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new RangeError(`steering action: ${issue?.path.join(".")}: ${issue?.message}`);
}
