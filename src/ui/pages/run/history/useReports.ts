import { useEffect, useState } from "react";
import { messageOf } from "../../../lib/format.ts";
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
  const asked = `${first} ${last}`;
  const [answer, setAnswer] = useState<{ readonly to: string; readonly problem: string | null } | null>(null);
  useEffect(() => {
    if (!missing) return undefined;
    let wanted = true;
    const load = async (): Promise<void> => {
      let problem: string | null = null;
      try {
        await reports.load(first, last);
      } catch (error) {
        problem = messageOf(error);
      }
      if (wanted) setAnswer({ to: asked, problem });
    };
    void load();
    return () => {
      wanted = false;
    };
  }, [reports, first, last, missing, asked]);
  if (!missing) return { state: "there" };
  if (answer === null || answer.to !== asked) return { state: "reading" };
  return answer.problem === null ? { state: "lost" } : { state: "failed", problem: answer.problem };
}
