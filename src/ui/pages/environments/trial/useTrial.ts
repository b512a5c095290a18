import { type RefObject, useEffect, useRef, useState } from "react";
import { messageOf } from "../../../lib/format.ts";
import { heldAction, holdKeys } from "./heldKeys.ts";
import { firstAction, type Moment, type Playable, Trial } from "./Trial.ts";

const SEED = 1;
/** Steps a second. */
const RATE = 20;

interface TrialState {
  readonly trial: Trial | null;
  readonly moment: Moment | null;
  readonly playing: boolean;
  /** Whether the code is being opened. */
  readonly opening: boolean;
  readonly problem: string | null;
}

interface TrialHandle extends TrialState {
  readonly byHand: boolean;
  readonly action: readonly number[];
  readonly setByHand: (byHand: boolean) => void;
  readonly setAction: (action: readonly number[]) => void;
  /** Opens the environment and starts an episode; ends whatever was opened before. */
  readonly open: () => Promise<void>;
  /** Ends what is open or being opened, at once. */
  readonly cancel: () => void;
  /** Takes one step, with this action, or by default the user's or a random one. */
  readonly step: (action?: readonly number[]) => Promise<void>;
  readonly setPlaying: (playing: boolean) => void;
}

const NONE: TrialState = { trial: null, moment: null, playing: false, opening: false, problem: null };

async function draw(trial: Trial, canvas: HTMLCanvasElement | null): Promise<void> {
  if (canvas === null || !trial.renders) return;
  const bitmap = await trial.picture({ width: canvas.width, height: canvas.height });
  canvas.getContext("bitmaprenderer")?.transferFromImageBitmap(bitmap);
}

/** Opens an environment. @param signal Ends it at once. */
export type OpenPlayable = (signal: AbortSignal) => Promise<Playable>;

interface TrialSettings {
  /** Of the first episode (default: 1). */
  readonly seed?: number;
  /** Whether the user acts at first (default: false). */
  readonly byHand?: boolean;
  /** Steps a second (default: 20). */
  readonly rate?: number;
}

/** Plays an environment. */
export function useTrial(
  source: OpenPlayable,
  canvas: RefObject<HTMLCanvasElement | null>,
  { seed = SEED, byHand: atFirst = false, rate = RATE }: TrialSettings = {},
): TrialHandle {
  const [state, setState] = useState<TrialState>(NONE);
  const [byHand, setByHand] = useState(atFirst);
  const [action, setAction] = useState<readonly number[]>([]);
  const held = useRef<ReadonlySet<string>>(new Set());
  const steered = byHand && state.playing && state.trial ? state.trial.action_space : null;
  useEffect(() => {
    if (steered === null) return undefined;
    return holdKeys(steered, (keys) => {
      held.current = keys;
    });
  }, [steered]);
  const current = useRef<Trial>(null);
  const sandbox = useRef<AbortController>(null);
  const busy = useRef(false);
  useEffect(() => () => sandbox.current?.abort(), []);

  /** Does one task in a sandbox; a failure ends the sandbox. Results of one that was ended are dropped. */
  const doing = async (work: (signal: AbortSignal) => Promise<Partial<TrialState>>): Promise<void> => {
    const own = sandbox.current;
    if (own === null) return;
    busy.current = true;
    try {
      const change = await work(own.signal);
      if (!own.signal.aborted) setState((before) => ({ ...before, ...change }));
    } catch (error) {
      if (!own.signal.aborted) end({ problem: messageOf(error) });
    } finally {
      if (sandbox.current === own) busy.current = false;
    }
  };

  const end = (change: Partial<TrialState> = {}): void => {
    sandbox.current?.abort();
    sandbox.current = null;
    current.current = null;
    busy.current = false;
    setState({ ...NONE, ...change });
  };

  const open = (): Promise<void> => {
    end({ opening: true });
    sandbox.current = new AbortController();
    return doing(async (signal) => {
      const trial = new Trial(await source(signal));
      const moment = await trial.begin(seed);
      if (signal.aborted) return {};
      current.current = trial;
      setAction(firstAction(trial.action_space));
      await draw(trial, canvas.current);
      return { trial, moment, playing: !byHand, opening: false };
    });
  };

  const step = async (given?: readonly number[]): Promise<void> => {
    const trial = current.current;
    if (trial === null || busy.current) return;
    await doing(async () => {
      const own = () => heldAction(trial.action_space, action, held.current);
      const chosen = given ?? (byHand ? own() : trial.sample());
      const moment = await trial.step(chosen);
      await draw(trial, canvas.current);
      return { moment };
    });
  };

  const { playing } = state;
  const next = useRef(step);
  useEffect(() => {
    next.current = step;
  });
  useEffect(() => {
    if (!playing) return undefined;
    const timer = setInterval(() => {
      if (!document.hidden) void next.current();
    }, 1000 / rate);
    return () => clearInterval(timer);
  }, [playing, rate]);

  return {
    ...state,
    byHand,
    action,
    setByHand,
    setAction,
    open,
    cancel: () => end(),
    step,
    setPlaying: (on) => setState((before) => ({ ...before, playing: on })),
  };
}
