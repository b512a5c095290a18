/** A person plays episodes of an environment, which are recorded as those of agents are. */
import {
  type RecordedEnvironment,
  type RecordedEpisode,
  Recorder,
  returnOf,
} from "../../../../datasets/record.ts";
import type { SingleAgentSpace } from "../../../../rl/spaces.ts";
import { messageOf } from "../../../lib/format.ts";

/** Where an episode stands: before its first step, in play or paused, or waiting for a verdict. */
export type Phase = "ready" | "playing" | "paused" | "ended";

export interface Standing {
  readonly phase: Phase;
  readonly steps: number;
  /** Return so far. */
  readonly total: number;
  /** How it ended; null before its end. */
  readonly episode: RecordedEpisode | null;
  /** Why nothing can be played any more; null if it can. */
  readonly problem: string | null;
}

interface DemonstrationOptions {
  /** Belongs to the demonstration. */
  readonly env: RecordedEnvironment & { readonly close?: () => void };
  /** Id of the environment. */
  readonly environment: string;
  /** Draws the current state. @param action The action that led to it; null after a reset. */
  readonly draw: (action: number | null) => void;
  /** Seed of the first episode; the others count from it. */
  readonly seed: number;
  readonly onChange: (standing: Standing) => void;
  /** Called for each episode that is kept. */
  readonly onKept: (episode: RecordedEpisode) => void;
}

const BEGINNING: Standing = { phase: "ready", steps: 0, total: 0, episode: null, problem: null };

export class Demonstration {
  readonly #recorder: Recorder;
  readonly #options: DemonstrationOptions;
  #standing = BEGINNING;
  #played = 0;
  /** Gives the recorder the action that it waits for. */
  #answer: ((action: number | readonly number[]) => void) | null = null;
  #isCut = false;
  #isClosed = false;

  constructor(options: DemonstrationOptions) {
    const { env, environment, draw } = options;
    this.#options = options;
    const shown: RecordedEnvironment = {
      observation_space: env.observation_space,
      action_space: env.action_space,
      ...(env.spec && { spec: env.spec }),
      reset: async (given) => {
        const begun = await env.reset(given);
        draw(null);
        return begun;
      },
      step: async (action) => {
        const step = await env.step(action);
        draw(typeof action === "number" ? action : ((action as ArrayLike<number>)[0] ?? null));
        const { steps, total } = this.#standing;
        this.#change({ steps: steps + 1, total: total + Number(step.reward) });
        return step;
      },
    };
    this.#recorder = new Recorder({ env: shown, environment, algorithm: "a person" });
  }

  get action_space(): SingleAgentSpace {
    return this.#recorder.action_space;
  }

  /** Makes the next episode ready. */
  begin(): void {
    this.#isCut = false;
    this.#change(BEGINNING);
    void this.#play();
  }

  setPlaying(isPlaying: boolean): void {
    if (this.#standing.phase !== "ended") this.#change({ phase: isPlaying ? "playing" : "paused" });
  }

  /** Takes one step. Nothing happens unless an episode is in play, and waits for it. */
  step(action: readonly number[]): void {
    const answer = this.#answer;
    if (this.#standing.phase !== "playing" || answer === null) return;
    this.#answer = null;
    answer(this.action_space.kind === "Discrete" ? (action[0] ?? 0) : action);
  }

  /** Cuts the episode at its next step, which counts as a truncation. */
  cut(): void {
    this.#isCut = true;
    this.setPlaying(true);
  }

  /** Ends the verdict on an ended episode, and makes the next one ready. */
  judge(isKept: boolean): void {
    const { episode } = this.#standing;
    if (episode === null) return;
    if (isKept) this.#options.onKept(episode);
    this.begin();
  }

  /** Nothing is played or told any more. */
  close(): void {
    this.#isClosed = true;
    this.#answer = null;
    this.#options.env.close?.();
  }

  async #play(): Promise<void> {
    const id = this.#played++;
    const act = () =>
      new Promise<number | readonly number[]>((resolve) => {
        this.#answer = resolve;
      });
    try {
      const episode = await this.#recorder.episode({
        id,
        seed: this.#options.seed + id,
        act,
        isCut: () => this.#isCut,
      });
      const kept = this.#recorder.recording([episode]).episodes[0] ?? episode;
      this.#change({ phase: "ended", episode: kept, total: returnOf(kept) });
    } catch (error) {
      this.#change({ problem: messageOf(error) });
    }
  }

  #change(news: Partial<Standing>): void {
    if (this.#isClosed) return;
    this.#standing = { ...this.#standing, ...news };
    this.#options.onChange(this.#standing);
  }
}
