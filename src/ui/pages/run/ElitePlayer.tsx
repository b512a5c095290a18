import { useCallback, useMemo, useRef, useState } from "react";
import { drawEnvironment } from "../../../rl/environments/drawEnvironment.ts";
import { formatCount, formatScore } from "../../lib/format.ts";
import { EpisodeCanvas } from "./EpisodeCanvas.tsx";
import { useEpisodes } from "./useEpisodes.ts";
import "./ElitePlayer.css";

const wantsStillness = (): boolean => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Sums of rewards up to each step, [length of the episode]. */
function returnsSoFar(rewards: Float32Array): Float64Array {
  const sums = new Float64Array(rewards.length + 1);
  for (const [step, reward] of rewards.entries()) sums[step + 1] = (sums[step] ?? 0) + reward;
  return sums;
}

/** Plays the elite, episode after episode, each of the elite as it is by then. */
export function ElitePlayer({ id, environment }: { readonly id: string; readonly environment: string }) {
  const { episode, problem, next } = useEpisodes(id);
  const [playing, setPlaying] = useState(() => !wantsStillness());
  const counter = useRef<HTMLElement>(null);
  const steps = useRef<HTMLElement>(null);
  const returns = useMemo(() => returnsSoFar(episode?.rewards ?? new Float32Array()), [episode]);
  const showStep = useCallback(
    (step: number) => {
      if (counter.current !== null) counter.current.textContent = formatScore(returns[step] ?? 0);
      if (steps.current !== null) steps.current.textContent = formatCount(step);
    },
    [returns],
  );
  const drawn = drawEnvironment(environment) !== null;
  return (
    <>
      <div className="panel__head">
        <h2>Elite at play</h2>
        <button type="button" className="button button--small" onClick={() => setPlaying(!playing)}>
          {playing ? "Hold" : "Play"}
        </button>
        <button type="button" className="button button--small" onClick={next}>
          Next episode
        </button>
      </div>
      {!drawn && <p className="empty">There is no drawing for {environment}.</p>}
      {drawn && episode === null && <div className="elite__stage" />}
      {drawn && episode !== null && (
        <EpisodeCanvas episode={episode} playing={playing} onStep={showStep} onEnd={next} />
      )}
      {problem !== null && <p className="elite__problem">{problem}</p>}
      <dl className="elite__foot">
        <div>
          <dt>Return</dt>
          <dd ref={counter}>0.0</dd>
        </div>
        <div>
          <dt>Step</dt>
          <dd ref={steps}>0</dd>
        </div>
        <div>
          <dt>Elite of generation</dt>
          <dd>{episode?.generation ?? "–"}</dd>
        </div>
      </dl>
    </>
  );
}
