/** What was written into a run's replay memory and is still in it. */
import { z } from "zod";
import { sha256Schema } from "../../artifacts/sha256Schema.ts";

const count = z.int().nonnegative();

/** Transitions that a member's segment gained in a generation, or held at the start. */
export const partSchema = z.strictObject({
  /** That wrote them; of what was there at the start the one before the first. */
  generation: count,
  slot: count,
  start: count,
  count,
  /** Artifact of the transitions. */
  rows: sha256Schema,
});

export type Part = z.infer<typeof partSchema>;

/** In the order that they were written. */
export const historySchema = z.strictObject({ parts: z.array(partSchema) });

/** The parts without those that later ones have overwritten whole: a segment is a ring. @param segment Its transitions. */
export function stillHeld(parts: readonly Part[], segment: number): readonly Part[] {
  const since = new Map<number, number>();
  const held = parts.toReversed().filter(({ slot, count }) => {
    const later = since.get(slot) ?? 0;
    since.set(slot, later + count);
    return later < segment;
  });
  return held.reverse();
}
