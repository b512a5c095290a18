import type { SteeringEntry } from "../../../../training/loop.ts";
import { type HistoryColumns, MUTATION_KINDS } from "../../../../workers/protocol.ts";
import { type Difference, differences } from "../descent/agentFacts.ts";

/** The creation of a member. */
export interface FeedEntry {
  readonly generation: number;
  readonly member: number;
  /** Index of the agent that it was cloned from. */
  readonly parent: number;
  /** Index of the agent that it replaced; null if that agent survives in another slot or was its parent. */
  readonly replaced: number | null;
  readonly kind: (typeof MUTATION_KINDS)[number];
  /** Label of the mutation. */
  readonly mutation: string;
  /** Hyperparameters that differ from its parent's. */
  readonly differences: readonly Difference[];
}

/** A steering action of the user. */
interface SteeringFeedEntry extends SteeringEntry {
  /** Its index among all steering actions. */
  readonly order: number;
}

/**
 * Merges clones and steering actions, newest first: steering acts after the selection of its generation.
 *
 * @param wanted the last generation to include; null for all
 * @param limit maximum number of entries
 */
export function withSteering(
  clones: readonly FeedEntry[],
  actions: readonly SteeringEntry[],
  wanted: number | null,
  limit: number,
): readonly (FeedEntry | SteeringFeedEntry)[] {
  const steered = actions
    .map((entry, order): SteeringFeedEntry => ({ ...entry, order }))
    .filter(({ generation }) => wanted === null || generation <= wanted)
    .toReversed();
  return [...steered, ...clones].toSorted((a, b) => b.generation - a.generation).slice(0, limit);
}

/**
 * The clones of a run, newest first, and by slot within a generation.
 *
 * @param row row of the last generation to include
 * @param limit maximum number of entries
 */
export function feedEntries(columns: HistoryColumns, row: number, limit: number): FeedEntry[] {
  const entries: FeedEntry[] = [];
  for (let at = row; at >= 1 && entries.length < limit; at -= 1) entries.push(...clonesOf(columns, at));
  return entries.slice(0, limit);
}

function clonesOf(columns: HistoryColumns, row: number): FeedEntry[] {
  const { population, index, parent, generation } = columns;
  const [start, before] = [row * population, (row - 1) * population];
  const past = new Map<number, number>();
  for (let cell = before; cell < start; cell += 1) past.set(index[cell] ?? -1, cell);
  const living = new Set(index.subarray(start, start + population));
  const entries: FeedEntry[] = [];
  for (let slot = 0; slot < population; slot += 1) {
    const cell = start + slot;
    const member = index[cell] ?? -1;
    const from = past.get(parent[cell] ?? -1);
    if (past.has(member) || from === undefined) continue;
    const occupant = index[before + slot] ?? -1;
    entries.push({
      generation: generation[row] ?? 0,
      member,
      parent: parent[cell] ?? -1,
      replaced: living.has(occupant) || occupant === parent[cell] ? null : occupant,
      kind: MUTATION_KINDS[columns.mutation_kind[cell] ?? 0] ?? "none",
      mutation: columns.mutations[columns.mutation[cell] ?? -1] ?? "None",
      differences: differences(columns, from, cell),
    });
  }
  return entries;
}
