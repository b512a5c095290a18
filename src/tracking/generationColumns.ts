/** The data kept of every generation, regardless of their number: numbers only, without tables. */
import type { GenerationReport, MemberReport } from "./observer.ts";

/** The values of one generation that charts show. */
export interface GenerationRow
  extends Pick<GenerationReport, "generation" | "global_step" | "seconds" | "fitnesses"> {
  /** Per-agent fitness of each member, by slot; may be absent if members are single agents. */
  readonly members?: readonly Pick<MemberReport, "agent_fitness">[];
}

/** The same values for all generations of a run, in order. */
export interface GenerationColumns {
  /** Population size; 0 before the first generation. */
  readonly population: number;
  readonly generation: Float64Array;
  readonly global_step: Float64Array;
  /** Wall-clock seconds of each generation. */
  readonly seconds: Float64Array;
  /** [generations, population]. */
  readonly fitnesses: Float64Array;
  /** Ids of the agents in each member; empty for single-agent members. */
  readonly agents: readonly string[];
  /** [generations, population, agents]; NaN where unknown. */
  readonly agent_fitnesses: Float64Array;
}

/** The columns as rows, in order. */
export function* generationRows(columns: GenerationColumns): Generator<GenerationRow> {
  const { population, generation, global_step, seconds, fitnesses } = columns;
  for (const [index, number] of generation.entries()) {
    yield {
      generation: number,
      global_step: global_step[index] ?? Number.NaN,
      seconds: seconds[index] ?? Number.NaN,
      fitnesses: [...fitnesses.subarray(index * population, (index + 1) * population)],
      ...membersAt(columns, index),
    };
  }
}

/** The members of a row, for multi-agent members. */
function membersAt(
  { population, agents, agent_fitnesses }: GenerationColumns,
  index: number,
): Pick<GenerationRow, "members"> {
  if (agents.length === 0) return {};
  const of = (slot: number) => {
    const start = (index * population + slot) * agents.length;
    return Object.fromEntries(agents.map((id, i) => [id, agent_fitnesses[start + i] ?? Number.NaN]));
  };
  return { members: Array.from({ length: population }, (_, slot) => ({ agent_fitness: of(slot) })) };
}

/** The part of a report's members that a row keeps. */
export const rowMembers = ({ members = [] }: GenerationRow): Pick<GenerationRow, "members"> =>
  members.some(({ agent_fitness }) => agent_fitness)
    ? { members: members.map(({ agent_fitness }) => (agent_fitness ? { agent_fitness } : {})) }
    : {};
