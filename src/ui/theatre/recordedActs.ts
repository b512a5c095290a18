/** The generations of a recorded run as a stage plays them. */

import { nextSeats, seated } from "../../stage/places.ts";
import type { RecordedMember, Recording } from "../../stage/recording.ts";
import { LINEAGE_COLOURS } from "../series/lineageColours.ts";
import type { Player } from "../stage/stageSettings.ts";

/** A generation of a recorded run. */
export interface Act {
  readonly generation: number;
  /** In the order of their tiles. */
  readonly players: readonly Player[];
  readonly members: number;
  readonly best: number;
  /** Members of the generation before without a copy in this one. */
  readonly fell: number;
  readonly mutated: number;
}

/** What is known of a member while the acts are built. */
interface Line {
  readonly ancestors: readonly string[];
  /** Colour of the founder that it descends from. */
  readonly colour: number;
}

/** Keys differ between generations, so that each one starts together. */
const keyOf = (generation: number, index: number): string => `${generation} ${index}`;

/** All generations, in order. Copies keep their parent's colour, so that one sees which founders' lines spread. */
export function recordedActs({ run, policies }: Recording): readonly Act[] {
  let lines = new Map<number, Line>();
  let before: Act["players"] = [];
  return run.generations.map(({ generation, members }, at): Act => {
    const last = run.generations[at - 1];
    const lineOf = ({ parent }: RecordedMember, slot: number): Line => {
      const line = parent === null ? undefined : lines.get(parent);
      if (last === undefined || parent === null || line === undefined)
        return { ancestors: [], colour: slot % LINEAGE_COLOURS };
      return { ancestors: [keyOf(last.generation, parent), ...line.ancestors], colour: line.colour };
    };
    const own = members.map(lineOf);
    const players = members.map((member, slot): Player => {
      const { index, fitness, note } = member;
      const bytes = policies[at]?.[slot] ?? new Uint8Array();
      const place = { environment: run.environment, env_config: null, module: null };
      const { ancestors, colour } = own[slot] ?? { ancestors: [], colour: 0 };
      const file = { bytes, ...place, generation, index, fitness };
      return { key: keyOf(generation, index), file, packed: true, colour, ancestors, note };
    });
    const seats = nextSeats(
      before.map(({ key, file }) => ({ key, fitness: file.fitness })),
      players.map(({ key, ancestors = [] }) => ({ key, ancestors })),
    );
    lines = new Map(members.map(({ index }, slot) => [index, own[slot] ?? { ancestors: [], colour: 0 }]));
    before = seated(players, seats);
    const parents = new Set(members.map(({ parent }) => parent));
    return {
      generation,
      players: before,
      members: members.length,
      best: Math.max(...members.map(({ fitness }) => fitness)),
      fell: last?.members.filter(({ index }) => !parents.has(index)).length ?? 0,
      mutated: members.filter(({ note }) => note !== null).length,
    };
  });
}
