import { type ReactNode, useEffect, useRef, useState } from "react";
import type { AgentFile } from "../../../../workers/protocol.ts";
import { Button } from "../../../components/Button.tsx";
import { tokenColours } from "../../../lib/drawing.ts";
import { formatScore } from "../../../lib/format.ts";
import { stageTheme } from "../../../stage/stageSettings.ts";
import { ActionInput } from "../../environments/trial/ActionInput.tsx";
import { keysText } from "../../environments/trial/heldKeys.ts";
import { useTrial } from "../../environments/trial/useTrial.ts";
import { type DuelTask, seedOnStage } from "./duelTask.ts";
import { type DuelScore, duelText } from "./duelText.ts";
import { useAgentScore } from "./useAgentScore.ts";
import "./Duel.css";

/** Steps a second: slow enough for a hand, and faster once only the agent plays. */
const [RATE, ALONE] = [10, 60] as const;

interface Props {
  readonly file: AgentFile;
  readonly task: DuelTask;
}

/** The visitor plays the agent's task beside it, from the same start and at the same pace. */
export function Duel(props: Props) {
  const [seed, setSeed] = useState(1);
  return <Round key={seed} {...props} seed={seed} onAgain={() => setSeed(seed + 1)} />;
}

interface RoundProps extends Props {
  readonly seed: number;
  readonly onAgain: () => void;
}

function Round({ file, task, seed, onAgain }: RoundProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const [begun, setBegun] = useState(false);
  const play = useTrial(
    async () => {
      const { openBuiltIn } = await import("../../environments/trial/openBuiltIn.ts");
      const place = host.current ?? document.body;
      // The champion's colour belongs to the agent.
      const theme = { ...stageTheme(place), accent: tokenColours(place, ["slot-1"])["slot-1"] };
      return openBuiltIn(file.environment, theme, file.env_config ?? {});
    },
    canvas,
    { seed: seedOnStage(seed), byHand: true, rate: RATE },
  );
  const { trial, moment } = play;
  // The next episode begins with the end of the first.
  const ended = moment !== null && moment.episode > 1;
  const own: DuelScore = { total: (ended ? moment.last : moment?.total) ?? 0, ended };
  const agentRate = !begun ? 0 : ended ? ALONE : RATE;
  const agent = useAgentScore(host, { file, task, seed, rate: agentRate });
  const latest = useRef(play);
  useEffect(() => {
    latest.current = play;
  });
  useEffect(() => void latest.current.open(), []);
  useEffect(() => {
    if (ended) latest.current.setPlaying(false);
  }, [ended]);
  const start = (): void => {
    if (trial === null) return;
    setBegun(true);
    play.setPlaying(true);
  };
  const problem = play.problem ?? agent.problem;
  return (
    <section className="stack duel" aria-label="Beat it">
      <div className="duel__sides grid gap-3">
        <Side name="You" score={own}>
          <canvas ref={canvas} width={480} height={360} aria-hidden="true" />
        </Side>
        <Side name="The agent" score={agent}>
          <div className="duel__stage" ref={host} />
        </Side>
      </div>
      {problem !== null && <p role="alert">{problem}</p>}
      <div className="row">
        {begun ? (
          <Button onClick={onAgain}>Another start</Button>
        ) : (
          <Button primary aria-disabled={trial === null} onClick={start}>
            {trial === null ? "Opening…" : "Start"}
          </Button>
        )}
        <output>{duelText(own, agent)}</output>
      </div>
      {trial !== null && (
        <>
          <ActionInput
            space={trial.action_space}
            action={play.action}
            onAction={play.setAction}
            onAct={play.setAction}
          />
          <p className="soft">{keysText(trial.action_space)}</p>
        </>
      )}
    </section>
  );
}

interface SideProps {
  readonly name: string;
  readonly score: DuelScore;
  readonly children: ReactNode;
}

/** A player's picture and score. */
const Side = ({ name, score, children }: SideProps) => (
  <figure className="duel__side">
    {children}
    <figcaption className="row">
      <span>{name}</span>
      <strong>{formatScore(score.total)}</strong>
      {score.ended && <span className="quiet">ended</span>}
    </figcaption>
  </figure>
);
