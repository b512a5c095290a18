import { type RefObject, useEffect, useRef, useState } from "react";
import { messageOf } from "../../../lib/messageOf.ts";
import type { EnvironmentDraft } from "../drafts.ts";
import { firstAction, type Moment, Trial } from "./Trial.ts";

/** Milliseconds per displayed step: 20 frames per second. */
const FRAME_MS = 50;
const SEED = 1;

export interface TrialState {
  readonly trial: Trial | null;
  readonly moment: Moment | null;
  readonly playing: boolean;
  readonly problem: string | null;
}

export interface TrialHandle extends TrialState {
  readonly byHand: boolean;
  readonly action: readonly number[];
  readonly setByHand: (byHand: boolean) => void;
  readonly setAction: (action: readonly number[]) => void;
  /** Opens the current code and starts an episode. */
  readonly open: () => Promise<void>;
  /** Takes one step, with this action, or by default the user's or a random one. */
  readonly step: (action?: readonly number[]) => Promise<void>;
  readonly setPlaying: (playing: boolean) => void;
}

const NONE: TrialState = { trial: null, moment: null, playing: false, problem: null };

async function draw(trial: Trial, canvas: HTMLCanvasElement | null): Promise<void> {
  if (canvas === null || !trial.renders) return;
  const bitmap = await trial.picture({ width: canvas.width, height: canvas.height });
  canvas.getContext("bitmaprenderer")?.transferFromImageBitmap(bitmap);
}

/** Plays a draft. */
export function useTrial(draft: EnvironmentDraft, canvas: RefObject<HTMLCanvasElement | null>): TrialHandle {
  const [state, setState] = useState<TrialState>(NONE);
  const [byHand, setByHand] = useState(false);
  const [action, setAction] = useState<readonly number[]>([]);
  const current = useRef<Trial>(null);
  const busy = useRef(false);
  useEffect(() => () => current.current?.close(), []);

  /** Runs one task at a time; a failure ends the trial. */
  const doing = async (work: () => Promise<Partial<TrialState>>): Promise<void> => {
    if (busy.current) return;
    busy.current = true;
    try {
      const change = await work();
      setState((before) => ({ ...before, ...change }));
    } catch (error) {
      current.current?.close();
      current.current = null;
      setState({ ...NONE, problem: messageOf(error) });
    } finally {
      busy.current = false;
    }
  };

  const open = (): Promise<void> =>
    doing(async () => {
      current.current?.close();
      setState(NONE);
      // Loads the code that opens sandboxes only when it is needed.
      const { openInPage } = await import("../openInPage.ts");
      const trial = new Trial(await openInPage(draft));
      current.current = trial;
      const moment = await trial.begin(SEED);
      setAction(firstAction(trial.action_space));
      await draw(trial, canvas.current);
      return { trial, moment, playing: !byHand, problem: null };
    });

  const step = (given?: readonly number[]): Promise<void> =>
    doing(async () => {
      const trial = current.current;
      if (trial === null) return {};
      const chosen = given ?? (byHand ? action : trial.sample());
      const moment = await trial.step(chosen);
      await draw(trial, canvas.current);
      return { moment };
    });

  const { playing } = state;
  const next = useRef(step);
  useEffect(() => {
    next.current = step;
  });
  useEffect(() => {
    if (!playing) return undefined;
    const timer = setInterval(() => {
      if (!document.hidden) void next.current();
    }, FRAME_MS);
    return () => clearInterval(timer);
  }, [playing]);

  return {
    ...state,
    byHand,
    action,
    setByHand,
    setAction,
    open,
    step,
    setPlaying: (on) => setState((before) => ({ ...before, playing: on })),
  };
}
