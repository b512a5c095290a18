import { useMemo } from "react";
import { useStore } from "zustand";
import {
  type StandingEntry,
  type SteeredChange,
  SteeringScript,
  standingEntries,
} from "../../../../training/loop.ts";
import type { RunSummary, SteeringAction } from "../../../../workers/protocol.ts";
import type { RunView } from "../../../state/RunView.ts";
import { useAnswer } from "../../../state/useAnswer.ts";
import { useWorkbench } from "../../../state/Workbench.ts";
import { useRunRoute } from "../shownGeneration.tsx";

export interface Steering {
  /** In the order requested, including those that have not taken effect yet, without those that were cancelled. */
  readonly actions: readonly StandingEntry[];
  /** Why the actions could not be read; null if there is no problem. */
  readonly problem: string | null;
}

/** The steering actions on a run, including those that take effect when the generation ends. */
export function useSteering(session: RunView): Steering {
  const { coordinator } = useWorkbench();
  const run = useStore(session.view, ({ summary }) => summary?.id ?? null);
  const steered = useStore(session.view, (view) => view.steered);
  const ask = useMemo(() => (run === null ? null : () => coordinator.steering(run)), [coordinator, run]);
  const { value, problem } = useAnswer(ask, steered);
  return useMemo(
    () => ({ actions: standingEntries((problem === null ? value : undefined) ?? []), problem }),
    [value, problem],
  );
}

/** Sends steering actions to the open run. */
export function useSteer(): (action: SteeringAction) => void {
  const workbench = useWorkbench();
  const { id } = useRunRoute();
  return (action) =>
    void workbench.attempt(async () => {
      await workbench.coordinator.steer(id, action);
    });
}

/** Chart marks for the generations in which the user set a hyperparameter. */
export const steeredMarks = (
  { actions }: Steering,
  name: string,
  format: (value: number) => string,
): { readonly x: number; readonly label: string }[] =>
  actions.flatMap(({ generation, action }) =>
    action.kind === "set" && action.hyperparameter === name
      ? [
          {
            x: generation,
            label: `set to ${format(action.value)} ${action.index === null ? "for all" : `for #${action.index}`}`,
          },
        ]
      : [],
  );

/** Indices of the members that the user has protected from selection, from the end of this generation on. */
export function useProtected(session: RunView): ReadonlySet<number> {
  const { actions } = useSteering(session);
  return useMemo(() => new SteeringScript(actions).protectedAt(Number.POSITIVE_INFINITY), [actions]);
}

/** Whether the user can steer a run now. */
export const canSteer = (summary: Pick<RunSummary, "can" | "state"> | null): boolean =>
  summary !== null && summary.can.steer && (summary.state === "running" || summary.state === "paused");

/** A text description of a steering action. */
export function steeringWords(action: SteeredChange): string {
  switch (action.kind) {
    case "set": {
      const whose = action.index === null ? "all members" : `#${action.index}`;
      return `${action.hyperparameter} of ${whose} set to ${action.value}`;
    }
    case "clone":
      return `#${action.over} replaced by a copy of #${action.index}`;
    case "replace":
      return `#${action.index} replaced by a copy of the elite`;
    case "protect":
      return `#${action.index} ${action.on ? "protected" : "no longer protected"}`;
    case "mutate":
      return `#${action.index} mutated: ${action.what}`;
  }
}
