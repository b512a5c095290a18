import { Pause, Play, StepForward } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { Button } from "../../../components/Button.tsx";
import { Segments } from "../../../components/controls.tsx";
import { Facts, fact } from "../../../components/Facts.tsx";
import { Panel } from "../../../components/Panel.tsx";
import { NONE } from "../../../lib/format.ts";
import { NO_NAMES, type NumberNames } from "../../../lib/numberNames.ts";
import { ActionInput } from "./ActionInput.tsx";
import { canActByHand, keysText } from "./heldKeys.ts";
import type { Moment } from "./Trial.ts";
import { type OpenPlayable, useTrial } from "./useTrial.ts";

/** Maximum number of observation components shown. */
const SHOWN = 12;

const rounded = (value: number): string =>
  Number.isInteger(value) ? String(value) : value.toFixed(Math.abs(value) < 100 ? 3 : 1);

/** The state of the episode, in numbers. */
function TrialReadOut({ moment, names }: { readonly moment: Moment; readonly names: NumberNames }) {
  const { episode, steps, reward, total, last, observation } = moment;
  const rest = observation.length - SHOWN;
  const { observation_names: named } = names;
  const facts = [
    ["Episode", episode],
    ["Step", steps],
    ["Reward", reward === null ? NONE : rounded(reward)],
    ["Return", rounded(total)],
    ["Last return", last === null ? NONE : rounded(last)],
  ] as const;
  return (
    <>
      <Facts className="facts facts--grid" rows={facts} />
      {named?.length === observation.length ? (
        <Facts
          className="facts facts--grid trial__numbers"
          label="Observation"
          rows={named.map((name, i) => fact(name, <code>{rounded(observation[i] ?? 0)}</code>))}
        />
      ) : (
        <p className="trial__observation small">
          <span className="faint">Observation</span>{" "}
          <code>
            {observation.slice(0, SHOWN).map(rounded).join(", ")}
            {rest > 0 && ` … and ${rest} more`}
          </code>
        </p>
      )}
    </>
  );
}

const HANDS = { random: "Random", hand: "Manual" } as const;

interface TrialProps {
  readonly title: string;
  /** What opening does, in one sentence. */
  readonly about: string;
  readonly source: OpenPlayable;
  /** A picture until it is opened (default: none). */
  readonly poster?: ReactNode;
  /** What the environment calls its numbers (default: nothing). */
  readonly names?: NumberNames;
}

/** Plays an environment, shown with its own drawing if it has one, and as numbers. */
export function TrialPanel({ title, about, source, poster, names = NO_NAMES }: TrialProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const play = useTrial(source, canvas);
  const { trial, moment, playing, opening, problem, byHand } = play;
  const canAct = trial !== null && canActByHand(trial.action_space);
  return (
    <Panel
      title={title}
      head={
        <>
          <Segments
            label="Actions"
            options={HANDS}
            value={byHand ? "hand" : "random"}
            onChange={(who) => {
              play.setByHand(who === "hand");
              play.setPlaying(trial !== null && who === "random");
            }}
          />
          <Button small onClick={() => (opening ? play.cancel() : void play.open())}>
            {opening ? "Cancel" : trial === null ? "Open" : "Reopen"}
          </Button>
        </>
      }
    >
      <div className="panel__body stack trial breaks">
        {problem !== null && (
          <p className="validation__error bad medium" role="alert">
            {problem}
          </p>
        )}
        {trial === null && problem === null && (
          <>
            {poster}
            <p className="soft">{opening ? "Opening…" : about}</p>
          </>
        )}
        <canvas
          ref={canvas}
          className="trial__canvas framed"
          width={480}
          height={320}
          hidden={trial === null || !trial.renders}
          aria-hidden="true"
        />
        {trial !== null && !trial.renders && (
          <p className="soft">
            Nothing to draw: the class has no <code>render(context, size)</code> method.
          </p>
        )}
        {trial !== null && (
          <div className="row">
            <Button small onClick={() => play.setPlaying(!playing)}>
              {playing ? <Pause aria-hidden="true" /> : <Play aria-hidden="true" />}
              {playing ? "Pause" : "Play"}
            </Button>
            <Button small onClick={() => void play.step()}>
              <StepForward aria-hidden="true" />
              Step
            </Button>
          </div>
        )}
        {trial !== null && byHand && canAct && (
          <>
            <ActionInput
              space={trial.action_space}
              action={play.action}
              names={names.action_names}
              onAction={play.setAction}
              onAct={(action) => {
                play.setAction(action);
                void play.step(action);
              }}
            />
            <p className="soft">{keysText(trial.action_space)}</p>
          </>
        )}
        {trial !== null && byHand && !canAct && (
          <p className="soft">This action space is too large to control by hand. Use random actions.</p>
        )}
        {moment !== null && <TrialReadOut moment={moment} names={names} />}
      </div>
    </Panel>
  );
}
