/** The history of a run's replay buffers: the parts that were written and are still in them. */
import { z } from "zod";
import { sha256Schema } from "../../artifacts/ArtifactStore.ts";

const count = z.int().nonnegative();

/** Transitions that a member's segment gained in a generation, or contained at the start. */
const partSchema = z.strictObject({
  /** Generation that wrote them; 0 for those from the start. */
  generation: count,
  slot: count,
  start: count,
  count,
  /** Artifact of the transitions. */
  rows: sha256Schema,
});

export type Part = z.infer<typeof partSchema>;

/** Parts in the order in which they were written. */
export const historySchema = z.strictObject({ parts: z.array(partSchema) });

/**
 * Drops the parts that later ones have fully overwritten: a segment is a ring buffer.
 * @param segment Capacity of a segment in transitions.
 */
export function stillHeld(parts: readonly Part[], segment: number): readonly Part[] {
  const since = new Map<number, number>();
  const held = parts.toReversed().filter(({ slot, count }) => {
    const later = since.get(slot) ?? 0;
    since.set(slot, later + count);
    return later < segment;
  });
  return held.reverse();
}
