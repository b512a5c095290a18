/** The visitor's side of a duel: an episode by hand, from the agent's start. */
import { messageOf } from "../../lib/format.ts";
import { stageTheme } from "../../stage/stageSettings.ts";
import { heldAction, holdKeys, keysText } from "../environments/trial/heldKeys.ts";
import { openBuiltIn } from "../environments/trial/openBuiltIn.ts";
import { firstAction, Trial } from "../environments/trial/Trial.ts";
import { seedOnStage } from "../play/duel/duelTask.ts";
import type { DuelScore } from "../play/duel/duelText.ts";
import type { Staged } from "./stageAgent.ts";

/** Steps a second, slow enough for a hand. */
export const HAND_RATE = 10;

interface Round {
  /** What the keys do. */
  readonly keys: string;
  readonly start: () => void;
  readonly close: () => void;
}

/**
 * Opens the task for the visitor.
 * @param tell hears the score after each step, and why the task cannot be played
 */
export async function openRound(
  canvas: HTMLCanvasElement,
  { environment, env_config }: Omit<Staged, "bytes">,
  seed: number,
  tell: (score: DuelScore, problem: string | null) => void,
): Promise<Round> {
  const trial = new Trial(await openBuiltIn(environment, stageTheme(canvas), env_config ?? {}));
  const space = trial.action_space;
  const rest = firstAction(space);
  let held: ReadonlySet<string> = new Set();
  const draw = async (): Promise<void> => {
    const picture = await trial.picture({ width: canvas.width, height: canvas.height });
    canvas.getContext("bitmaprenderer")?.transferFromImageBitmap(picture);
  };
  await trial.begin(seedOnStage(seed));
  await draw();
  let timer: ReturnType<typeof setInterval> | undefined;
  let release = (): void => undefined;
  const close = (): void => {
    clearInterval(timer);
    release();
  };
  let busy = false;
  const step = async (): Promise<void> => {
    if (busy) return;
    busy = true;
    try {
      const { episode, last, total } = await trial.step(heldAction(space, rest, held));
      const ended = episode > 1;
      if (ended) close();
      else await draw();
      tell({ total: (ended ? last : total) ?? 0, ended }, null);
    } catch (error) {
      close();
      tell({ total: 0, ended: true }, messageOf(error));
    } finally {
      busy = false;
    }
  };
  return {
    keys: keysText(space),
    close,
    start: () => {
      release = holdKeys(space, (keys) => {
        held = keys;
      });
      timer = setInterval(() => void step(), 1000 / HAND_RATE);
    },
  };
}
