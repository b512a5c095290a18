import { useCallback } from "react";
import { useAnswer } from "../../../lib/useAnswer.ts";
import type { RunView } from "../../../state/RunView.ts";

/** Whether the requested reports are available. */
export type Reading =
  | { readonly state: "there" | "reading" | "lost" }
  | { readonly state: "failed"; readonly problem: string };

/** Loads the reports from `first` to `last`. The state is "lost" if some can no longer be read. */
export function useReports({ reports }: RunView, first: number, last: number): Reading {
  let missing = false;
  for (let generation = first; generation <= last && !missing; generation += 1) {
    missing = reports.get(generation) === undefined;
  }
  const load = useCallback(() => reports.load(first, last), [reports, first, last]);
  const { problem, current } = useAnswer(missing ? load : null);
  if (!missing) return { state: "there" };
  if (!current) return { state: "reading" };
  return problem === null ? { state: "lost" } : { state: "failed", problem };
}
