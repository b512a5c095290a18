/** What is kept of every generation, however many there are: numbers, and none of its tables. */
import type { GenerationReport, MemberReport } from "./observer.ts";

/** What charts show of one generation. */
export interface GenerationRow
  extends Pick<GenerationReport, "generation" | "global_step" | "seconds" | "fitnesses"> {
  /** What several agents have each, by slot; may be absent where members are one agent. */
  readonly members?: readonly Pick<MemberReport, "agent_fitness">[];
}

/** The same of all generations of a run, in order. */
export interface GenerationColumns {
  /** Members of the population; 0 before the first generation. */
  readonly population: number;
  readonly generation: Float64Array;
  readonly global_step: Float64Array;
  /** Wall seconds of each generation. */
  readonly seconds: Float64Array;
  /** [generations, population]. */
  readonly fitnesses: Float64Array;
  /** Ids of the agents that live in each member; none where that is one. */
  readonly agents: readonly string[];
  /** [generations, population, agents]; NaN where it is not known. */
  readonly agent_fitnesses: Float64Array;
}

/** The rows of columns, in order. */
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

/** Members of a row where they are several agents. */
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

/** What a report keeps of its members in a row. */
export const rowMembers = ({ members = [] }: GenerationRow): Pick<GenerationRow, "members"> =>
  members.some(({ agent_fitness }) => agent_fitness)
    ? { members: members.map(({ agent_fitness }) => (agent_fitness ? { agent_fitness } : {})) }
    : {};
