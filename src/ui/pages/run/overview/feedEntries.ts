import type { SteeringEntry } from "../../../../training/loop/SteeringScript.ts";
import { type HistoryColumns, MUTATION_KINDS } from "../../../../workers/protocol.ts";
import type { Difference } from "../lineage/agentFacts.ts";

/** A member that came to be. */
export interface FeedEntry {
  readonly generation: number;
  readonly member: number;
  /** Identity that it was cloned from. */
  readonly parent: number;
  /** Identity of the one whose place it took; null where that lives on elsewhere, or was its parent. */
  readonly replaced: number | null;
  readonly kind: (typeof MUTATION_KINDS)[number];
  /** Label of the mutation. */
  readonly mutation: string;
  /** Hyperparameters that it has otherwise than its parent. */
  readonly differences: readonly Difference[];
}

/** What a person did to the population. */
export interface SteeringFeedEntry extends SteeringEntry {
  /** Its place among all that they did. */
  readonly order: number;
}

/**
 * Clones and what a person did, the newest first: steering acts after the selection of its generation.
 *
 * @param wanted the last generation that counts; null for all
 * @param limit entries at most
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
 * The clones of a run, the newest first, and within a generation by place.
 *
 * @param row the last generation's row that counts
 * @param limit entries at most
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
      differences: differencesOf(columns, from, cell),
    });
  }
  return entries;
}

function differencesOf({ hyperparameters }: HistoryColumns, from: number, to: number): Difference[] {
  return Object.entries(hyperparameters).flatMap(([name, values]) => {
    const [old, now] = [values[from] ?? Number.NaN, values[to] ?? Number.NaN];
    return Object.is(old, now) ? [] : [{ name, from: old, to: now }];
  });
}
