/** The selection strategy, given under its current name or the deprecated one. */
import type { SelectionStrategy } from "../../evolution/index.ts";
import { SelectionStrategySpec, type SelectionStrategySpecInput } from "../../manifests/index.ts";
import { type OptionRule } from "../../specs/checks.ts";
import { warnOnce } from "../../tracking/clients.ts";

/**
 * The manifest's mutation section from a caller's spec. A spec without fields means the default mutation,
 * while an empty section means none.
 */
export function mutationSection(mutation: object | null | undefined): unknown {
  return mutation && Object.keys(mutation).length === 0 ? { probabilities: {} } : (mutation ?? null);
}

type Selection = SelectionStrategySpecInput | SelectionStrategy;

interface SelectionOptions<S = Selection> {
  readonly selection_strategy?: S | null;
  /** Deprecated: `selection_strategy`. */
  readonly tournament?: S | null;
}

/** The option as given by callers, under one of the names. */
export type SelectionOption<S> =
  | {
      readonly selection_strategy?: S | null;
      readonly tournament?: null;
    }
  | {
      readonly selection_strategy?: null;
      /** Deprecated: `selection_strategy`. */
      readonly tournament?: S | null;
    };

export const isSelectionStrategy = (value: unknown): value is SelectionStrategy =>
  typeof value === "object" && value !== null && "select" in value && typeof value.select === "function";

/** The rule for a selection object. */
export const SELECTION: OptionRule = {
  allowed: "a selection object, such as a TournamentSelection",
  allows: isSelectionStrategy,
};

/** The strategy given under either name. Warns once about the deprecated name. */
export function givenSelection<S>({ selection_strategy, tournament }: SelectionOptions<S>): S | null {
  if (!tournament) return selection_strategy ?? null;
  warnOnce("tournament is deprecated: use selection_strategy");
  return selection_strategy ?? tournament;
}

/** Whether two specs are equivalent; strategy objects are equivalent only if they are identical. */
function sameSelection(a: Selection, b: Selection): boolean {
  if (isSelectionStrategy(a) || isSelectionStrategy(b)) return a === b;
  const [x, y] = [a, b].map((spec) => SelectionStrategySpec.safeParse(spec));
  if (!x?.success || !y?.success) return JSON.stringify(a) === JSON.stringify(b);
  return JSON.stringify(x.data) === JSON.stringify(y.data);
}

/** @throws Error if different strategies are given under both names. */
export function requireOneSelection({ selection_strategy, tournament }: SelectionOptions): void {
  if (!selection_strategy || !tournament || sameSelection(selection_strategy, tournament)) return;
  throw new Error(
    "tournament and selection_strategy are both given and differ; give selection_strategy alone",
  );
}
