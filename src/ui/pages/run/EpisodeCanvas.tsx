import { useEffect, useRef } from "react";
import { drawEnvironment } from "../../../rl/environments/drawEnvironment.ts";
import type { Episode } from "../../../workers/protocol.ts";
import { canvasTheme, onThemeChange } from "./canvasTheme.ts";
import { framesPerSecond } from "./framesPerSecond.ts";

/** Milliseconds that the last picture of an episode stays. */
const REST = 900;

interface Props {
  readonly episode: Episode;
  readonly playing: boolean;
  /** Called for each new picture with the number of steps taken; outside of React, as it is called often. */
  readonly onStep: (step: number) => void;
  readonly onEnd: () => void;
}

/** Plays an episode at its environment's speed. */
export function EpisodeCanvas({ episode, playing, onStep, onEnd }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const position = useRef({ episode, elapsed: 0 });

  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext("2d");
    const draw = drawEnvironment(episode.environment, episode.env_config ?? {});
    if (!element || !context || draw === null) return undefined;
    if (position.current.episode !== episode) position.current = { episode, elapsed: 0 };
    const { states, actions, width, length } = episode;
    const actionWidth = Math.max(1, Math.round(actions.length / Math.max(1, length - 1)));
    const frame = 1000 / framesPerSecond(episode.environment);
    let theme = canvasTheme(element);
    let shown = -1;
    let request = 0;
    let before: number | undefined;

    const paint = (step: number): void => {
      const ratio = window.devicePixelRatio || 1;
      const size = { width: element.clientWidth, height: element.clientHeight };
      element.width = Math.round(size.width * ratio);
      element.height = Math.round(size.height * ratio);
      context.scale(ratio, ratio);
      const state = states.subarray(step * width, (step + 1) * width);
      const action = step === 0 ? null : (actions[(step - 1) * actionWidth] ?? null);
      draw(context, state, action, size, theme);
      shown = step;
      onStep(step);
    };
    const current = (): number => Math.min(length - 1, Math.floor(position.current.elapsed / frame));
    const advance = (now: number): void => {
      // A long gap, as in a hidden tab, counts as one picture.
      position.current.elapsed += Math.min(now - (before ?? now), 4 * frame);
      before = now;
      if (current() !== shown) paint(current());
      if (position.current.elapsed > length * frame + REST) onEnd();
      else request = requestAnimationFrame(advance);
    };
    const repaint = (): void => {
      theme = canvasTheme(element);
      paint(current());
    };

    repaint();
    const resized = new ResizeObserver(repaint);
    resized.observe(element);
    const forgetTheme = onThemeChange(repaint);
    if (playing) request = requestAnimationFrame(advance);
    return () => {
      cancelAnimationFrame(request);
      resized.disconnect();
      forgetTheme();
    };
  }, [episode, playing, onStep, onEnd]);

  return (
    <canvas ref={canvas} className="elite__stage">
      {`${episode.environment}, played by the elite of generation ${episode.generation}`}
    </canvas>
  );
}
