/** Origin of each member of a generation, and what selection and mutation changed. */
import type { Evolvable } from "./Evolvable.ts";
import type { HyperparameterValue } from "./HyperparameterConfig.ts";

export interface LineageEvent {
  /** The generation that ended; 0 for the mutation before the first. */
  readonly generation: number;
  readonly slot: number;
  readonly index: number;
  /** The member it was copied from: its own index for a retained elite, null at the start. */
  readonly parent: number | null;
  /** Label of the mutation: "None", "param", "act", a hyperparameter or a method. */
  readonly mutation: string;
  readonly hyperparameters: Readonly<
    Record<string, { readonly from: HyperparameterValue; readonly to: HyperparameterValue }>
  >;
}

type Member = Pick<Evolvable<unknown>, "index" | "parent" | "mut" | "hyperparameters">;

/** Hyperparameters by member index. Record them before selection and mutation, for `lineageEvents`. */
export type HyperparameterRecord = ReadonlyMap<number, Readonly<Record<string, HyperparameterValue>>>;

export const recordHyperparameters = (population: readonly Member[]): HyperparameterRecord =>
  new Map(population.map(({ index, hyperparameters }) => [index, { ...hyperparameters }]));

/** One event for each member of the population after selection and mutation. */
export function lineageEvents(
  generation: number,
  population: readonly Member[],
  before: HyperparameterRecord,
): LineageEvent[] {
  return population.map(({ index, parent, mut, hyperparameters }, slot) => {
    const source = before.get(parent ?? index) ?? {};
    const changes = Object.entries(hyperparameters)
      .filter(([name, to]) => Object.hasOwn(source, name) && !Object.is(source[name], to))
      .map(([name, to]) => [name, { from: source[name] ?? null, to }] as const);
    return { generation, slot, index, parent, mutation: mut, hyperparameters: Object.fromEntries(changes) };
  });
}
