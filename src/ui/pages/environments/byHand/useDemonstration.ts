import { type RefObject, useEffect, useState } from "react";
import { drawEnvironment, findEnvironment, loadEnvironment, make } from "../../../../rl/environments.ts";
import type { RecordedEpisode } from "../../../../workers/pages.ts";
import { messageOf } from "../../../lib/format.ts";
import { numberNames } from "../../../lib/numberNames.ts";
import { stageTheme } from "../../../stage/stageSettings.ts";
import { Demonstration, type Standing } from "./Demonstration.ts";
import { Hand } from "./Hand.ts";
import { keepEpisode } from "./keptEpisodes.ts";

/** Steps a second of environments that name none. */
const USUAL = 30;
/** Milliseconds between looks at a gamepad, where each press is a step. */
const PRESS = 150;

/** An environment that is open to be played. */
export interface Opened {
  readonly demonstration: Demonstration;
  readonly hand: Hand;
  /** Steps a second at its own speed. */
  readonly rate: number;
}

interface DemonstrationHandle {
  readonly opened: Opened | null;
  readonly standing: Standing | null;
  /** Why it could not be opened. */
  readonly problem: string | null;
}

/** The first episode's seed: another one each time, so that starts differ. */
const anySeed = (): number => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) >>> 1;

async function open(
  id: string,
  canvas: HTMLCanvasElement,
  onChange: (standing: Standing) => void,
): Promise<Opened> {
  await loadEnvironment(id);
  const { frame_rate = USUAL } = findEnvironment(id);
  const env = make(id);
  const paint = drawEnvironment(id);
  const context = canvas.getContext("2d");
  const place = canvas.parentElement ?? canvas;
  let theme = stageTheme(place);
  const draw = (action: number | null): void => {
    // The page's theme may change between episodes.
    if (action === null) theme = stageTheme(place);
    if (context) paint?.(context, env.getState(), action, canvas, theme);
  };
  const onKept = (episode: RecordedEpisode): void => keepEpisode(id, episode);
  const demonstration = new Demonstration({ env, environment: id, draw, seed: anySeed(), onChange, onKept });
  const hand = new Hand(demonstration.action_space, numberNames(id).action_names);
  return { demonstration, hand, rate: frame_rate };
}

/**
 * Opens an environment to be played by hand, at a pace.
 * @param speed Of the environment's own; 0 takes a step for each press.
 */
export function useDemonstration(
  id: string,
  canvas: RefObject<HTMLCanvasElement | null>,
  speed: number,
): DemonstrationHandle {
  const [opened, setOpened] = useState<Opened | null>(null);
  const [standing, setStanding] = useState<Standing | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const place = canvas.current;
    if (place === null) return undefined;
    let isWanted = true;
    let own: Demonstration | null = null;
    open(id, place, (next) => isWanted && setStanding(next)).then(
      (made) => {
        own = made.demonstration;
        if (!isWanted) return own.close();
        setOpened(made);
        own.begin();
      },
      (error: unknown) => isWanted && setProblem(messageOf(error)),
    );
    return () => {
      isWanted = false;
      own?.close();
    };
  }, [id, canvas]);

  const isPlaying = standing?.phase === "playing";
  useEffect(() => {
    if (opened === null || !isPlaying) return undefined;
    const { demonstration, hand, rate } = opened;
    const step = (): void => {
      if (!document.hidden) demonstration.step(hand.action());
    };
    const deafen = hand.listen(() => speed === 0 && step());
    const tick = (): void => {
      if (speed > 0 || hand.isPadded) step();
    };
    const timer = setInterval(tick, speed > 0 ? 1000 / (rate * speed) : PRESS);
    return () => {
      deafen();
      clearInterval(timer);
    };
  }, [opened, isPlaying, speed]);
  return { opened, standing, problem };
}
