import { useEffect, useRef, useState } from "react";
import { Button } from "../../../components/Button.tsx";
import { Select } from "../../../components/controls.tsx";
import { Facts } from "../../../components/Facts.tsx";
import { formatCount, formatScore } from "../../../lib/format.ts";
import { numberNames } from "../../../lib/numberNames.ts";
import { bindingsOf, keysText } from "../trial/heldKeys.ts";
import type { Phase } from "./Demonstration.ts";
import { HandInput } from "./HandInput.tsx";
import { useDemonstration } from "./useDemonstration.ts";

const SPEEDS = [
  [0, "A step for each press"],
  [0.25, "0.25 ×"],
  [0.5, "0.5 ×"],
  [1, "1 ×"],
] as const;
const SLOW = 0.5;

const PLAY: Readonly<Record<Exclude<Phase, "ended">, string>> = {
  ready: "Start",
  playing: "Pause",
  paused: "Go on",
};

/** An environment that a person plays. For another one, mount a new component (set a `key`). */
export function Demonstrator({ id }: { readonly id: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const main = useRef<HTMLButtonElement>(null);
  const [speed, setSpeed] = useState(SLOW);
  const { opened, standing, problem: failure } = useDemonstration(id, canvas, speed);
  const phase = standing?.phase ?? null;
  const isOver = phase === "ended";
  // Enter then starts and keeps episodes, and no other key does.
  useEffect(() => {
    if (phase === "ready" || isOver) main.current?.focus({ preventScroll: true });
  }, [phase, isOver]);
  const problem = failure ?? standing?.problem ?? null;
  const demonstration = opened?.demonstration;
  const space = demonstration?.action_space;
  const hasKeys = space === undefined || bindingsOf(space).length > 0;
  return (
    <>
      {problem !== null && (
        <p className="bad" role="alert">
          {problem}
        </p>
      )}
      {!hasKeys && <p role="alert">Its actions have more numbers than there are keys for.</p>}
      <div className="by-hand__place">
        <canvas ref={canvas} className="framed by-hand__canvas" width={480} height={320} aria-hidden="true" />
      </div>
      {opened !== null && demonstration && space && standing && hasKeys && (
        <>
          <div className="row">
            {isOver ? (
              <>
                <Button ref={main} primary onClick={() => demonstration.judge(true)}>
                  Keep
                </Button>
                <Button onClick={() => demonstration.judge(false)}>Throw away</Button>
              </>
            ) : (
              <>
                <Button ref={main} primary onClick={() => demonstration.setPlaying(phase !== "playing")}>
                  {PLAY[standing.phase as keyof typeof PLAY]}
                </Button>
                <Button
                  aria-disabled={standing.steps === 0}
                  onClick={() => standing.steps > 0 && demonstration.cut()}
                >
                  End here
                </Button>
              </>
            )}
            <label className="beside">
              Speed
              <Select
                className="auto-width"
                value={speed}
                options={SPEEDS}
                onChange={(chosen) => setSpeed(Number(chosen))}
              />
            </label>
          </div>
          <HandInput
            space={space}
            names={numberNames(id).action_names}
            hand={opened.hand}
            onPress={() => speed === 0 && demonstration.step(opened.hand.action())}
          />
          <p className="soft">{keysText(space, opened.hand.directions)} A gamepad works too.</p>
          <Facts
            className="facts facts--grid"
            rows={[
              ["Step", formatCount(standing.steps)],
              ["Return", formatScore(standing.total)],
            ]}
          />
        </>
      )}
      <output className="quiet">
        {isOver &&
          `The episode has ended after ${formatCount(standing?.steps ?? 0)} steps with a return of ${formatScore(standing?.total ?? 0)}. Keep it?`}
      </output>
    </>
  );
}
