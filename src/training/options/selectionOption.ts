/** The selection strategy under its own name or the deprecated one. */
import type { SelectionStrategy } from "../../evolution/index.ts";
import { SelectionStrategySpec, type SelectionStrategySpecInput } from "../../specs/index.ts";
import { warnOnce } from "../loop/warn.ts";

type Selection = SelectionStrategySpecInput | SelectionStrategy;

export interface SelectionOptions<S = Selection> {
  readonly selection_strategy?: S | null;
  /** Deprecated: `selection_strategy`. */
  readonly tournament?: S | null;
}

/** As callers give it: under one of the names. */
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

/** The strategy that is given, under whichever name; warns once of the deprecated one. */
export function givenSelection<S>({ selection_strategy, tournament }: SelectionOptions<S>): S | null {
  if (!tournament) return selection_strategy ?? null;
  warnOnce("tournament is deprecated: use selection_strategy");
  return selection_strategy ?? tournament;
}

/** Whether two specs mean the same; objects that select are the same only when they are one. */
export function sameSelection(a: Selection, b: Selection): boolean {
  if (isSelectionStrategy(a) || isSelectionStrategy(b)) return a === b;
  const [x, y] = [a, b].map((spec) => SelectionStrategySpec.safeParse(spec));
  if (!x?.success || !y?.success) return JSON.stringify(a) === JSON.stringify(b);
  return JSON.stringify(x.data) === JSON.stringify(y.data);
}

/** @throws Error where the strategy is given under both names, and they differ. */
export function requireOneSelection({ selection_strategy, tournament }: SelectionOptions): void {
  if (!selection_strategy || !tournament || sameSelection(selection_strategy, tournament)) return;
  throw new Error(
    "tournament and selection_strategy are both given and differ; give selection_strategy alone",
  );
}
