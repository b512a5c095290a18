import { Pause, Play, RotateCcw, Square } from "lucide-react";
import { useState } from "react";
import { useStore } from "zustand";
import { Button } from "../components/Button.tsx";
import { formatCount, formatScore, messageOf } from "../lib/format.ts";
import { manifestValue } from "../lib/manifestValues.ts";
import type { RunView } from "../state/RunView.ts";
import type { RunViewState } from "../state/RunViewState.ts";
import { useWorkbench } from "../state/Workbench.ts";
import { LiveCompletions } from "./LiveCompletions.tsx";
import { LiveCurve } from "./LiveCurve.tsx";
import { LiveWall } from "./LiveWall.tsx";

interface Props {
  readonly id: string;
  readonly view: RunView;
  readonly title: string;
  /** Starts it again. */
  readonly again: () => void;
}

/** Kinds of environments whose agents write instead of moving. */
const TEXT = ["rollout", "dataset"];

/** How far the run is, in a line. */
function statusText({ summary, progress, total_steps }: RunViewState): string {
  if (summary === null) return "Starting…";
  const steps = Math.max(progress?.global_step ?? 0, summary.global_step);
  const of = total_steps === null ? "" : ` of ${formatCount(total_steps)}`;
  const best = summary.best_fitness === null ? "" : ` · best ${formatScore(summary.best_fitness)}`;
  const ended = { finished: "Finished. ", stopped: "Stopped. ", paused: "Paused. " } as const;
  const state = summary.state in ended ? ended[summary.state as keyof typeof ended] : "";
  return `${state}Generation ${formatCount(summary.generation)} · ${formatCount(Math.round(steps))}${of} steps${best}`;
}

/** An open run: its curve, its members at play, and its buttons. */
export function LiveRun({ id, view: session, title, again }: Props) {
  const { coordinator } = useWorkbench();
  const [fault, setFault] = useState<string | null>(null);
  const attempt = (action: () => Promise<void>): void =>
    void action().then(
      () => setFault(null),
      (error: unknown) => setFault(messageOf(error)),
    );
  const view = useStore(session.view);
  const state = view.summary?.state;
  const type = String(manifestValue(view.manifest, "environment.env_type"));
  const isText = TEXT.includes(type);
  // The stage waits for the first episodes, which it would delay.
  const hasBegun = view.episodes.length > 0 || view.version > 0;
  const problem = fault ?? view.problem ?? view.failure;
  const button = (label: string, Icon: typeof Play, act: () => void) => (
    <Button small onClick={act}>
      <Icon size={14} aria-hidden="true" />
      {label}
    </Button>
  );
  const pause = button("Pause", Pause, () => attempt(() => coordinator.pause(id)));
  const resume = button("Resume", Play, () => attempt(() => coordinator.resume(id)));
  const stop = button("Stop", Square, () => attempt(() => coordinator.stop(id)));
  return (
    <section className="fill live__run shrinks" aria-label={title || "Run"} data-state={state}>
      <header className="row live__head small rule-below">
        {title !== "" && <strong>{title}</strong>}
        <p className="quiet live__status">{statusText(view)}</p>
        {state === "running" && pause}
        {state === "paused" && resume}
        {(state === "running" || state === "paused") && stop}
        {state !== undefined &&
          state !== "running" &&
          state !== "paused" &&
          button("Start again", RotateCcw, again)}
      </header>
      {problem !== null && (
        <p role="alert" className="bad live__problem">
          {problem}
        </p>
      )}
      <div className="live__views grow stack">
        <LiveCurve session={session} isText={isText} />
        {isText && <LiveCompletions session={session} />}
        {!isText && type !== "bandit" && hasBegun && <LiveWall session={session} id={id} />}
      </div>
    </section>
  );
}
