import { Pause, Play, StepForward } from "lucide-react";
import { useRef } from "react";
import { Segments } from "../../../components/buttons.tsx";
import type { EnvironmentDraft } from "../drafts.ts";
import { ActionInput, canActByHand } from "./ActionInput.tsx";
import { TrialReadOut } from "./TrialReadOut.tsx";
import { useTrial } from "./useTrial.ts";
import "./TrialPanel.css";

const HANDS = { random: "Random", hand: "Manual" } as const;

/** Plays the environment, shown with its own drawing if it has one, and as numbers. */
export function TrialPanel({ draft }: { readonly draft: EnvironmentDraft }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const play = useTrial(draft, canvas);
  const { trial, moment, playing, opening, problem, byHand } = play;
  const canAct = trial !== null && canActByHand(trial.action_space);
  return (
    <section className="panel" aria-label="Play">
      <div className="panel__head">
        <h2>Play</h2>
        <Segments
          label="Actions"
          options={HANDS}
          value={byHand ? "hand" : "random"}
          onChange={(who) => {
            play.setByHand(who === "hand");
            play.setPlaying(trial !== null && who === "random");
          }}
        />
        <button
          type="button"
          className="button button--small"
          onClick={() => (opening ? play.cancel() : void play.open())}
        >
          {opening ? "Cancel" : trial === null ? "Open" : "Reopen"}
        </button>
      </div>
      <div className="panel__body trial">
        {problem !== null && (
          <p className="trial__problem" role="alert">
            {problem}
          </p>
        )}
        {trial === null && problem === null && (
          <p className="trial__hint">
            {opening
              ? "Opening the code…"
              : "Opens the current code, saved or not, and plays episode after episode."}
          </p>
        )}
        <canvas
          ref={canvas}
          className="trial__canvas"
          width={480}
          height={320}
          hidden={trial === null || !trial.renders}
          aria-hidden="true"
        />
        {trial !== null && !trial.renders && (
          <p className="trial__hint">
            Nothing to draw: the class has no <code>render(context, size)</code> method.
          </p>
        )}
        {trial !== null && (
          <div className="trial__controls">
            <button type="button" className="button button--small" onClick={() => play.setPlaying(!playing)}>
              {playing ? <Pause aria-hidden="true" /> : <Play aria-hidden="true" />}
              {playing ? "Pause" : "Play"}
            </button>
            <button type="button" className="button button--small" onClick={() => void play.step()}>
              <StepForward aria-hidden="true" />
              Step
            </button>
          </div>
        )}
        {trial !== null && byHand && canAct && (
          <ActionInput
            space={trial.action_space}
            action={play.action}
            onAction={play.setAction}
            onAct={(action) => {
              play.setAction(action);
              void play.step(action);
            }}
          />
        )}
        {trial !== null && byHand && !canAct && (
          <p className="trial__hint">
            This action space is too large to control by hand. Use random actions.
          </p>
        )}
        {moment !== null && <TrialReadOut moment={moment} />}
      </div>
    </section>
  );
}
