import type { GenerationRow } from "./generationColumns.ts";
import { NumberColumn } from "./NumberColumn.ts";

/** Per-agent fitness of every member, generation by generation; empty for single-agent members. */
export class AgentColumns {
  #agents: readonly string[] = [];
  #population = 0;
  #rows = 0;
  /** [rows, population, agents]. */
  readonly #values = new NumberColumn();

  /** Ids of the agents; empty until the first are known. */
  get agents(): readonly string[] {
    return this.#agents;
  }

  /** Adds a generation with `population` members. */
  push({ members = [] }: GenerationRow, population: number): void {
    if (this.#agents.length === 0) {
      this.#agents = Object.keys(members.find(({ agent_fitness }) => agent_fitness)?.agent_fitness ?? {});
      this.#population = population;
      // For earlier generations in which all members failed.
      for (let i = 0; i < this.#rows * population * this.#agents.length; i++) this.#values.push(Number.NaN);
    }
    this.#rows += 1;
    for (let slot = 0; slot < this.#population; slot++)
      for (const id of this.#agents) this.#values.push(members[slot]?.agent_fitness?.[id] ?? Number.NaN);
  }

  /** Fitness of an agent, by its index in `agents`, in a slot and row; NaN if unknown. */
  at(row: number, slot: number, agent: number): number {
    return slot < this.#population
      ? this.#values.at((row * this.#population + slot) * this.#agents.length + agent)
      : Number.NaN;
  }

  /** Drops all rows after the first `rows`. */
  truncate(rows: number): void {
    this.#rows = Math.min(this.#rows, rows);
    this.#values.truncate(this.#rows * this.#population * this.#agents.length);
  }

  /** A copy of the values, [rows, population, agents]. */
  values(): Float64Array<ArrayBuffer> {
    return this.#values.values();
  }
}
