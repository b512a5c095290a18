/** Records episodes step by step. An agent, a rule or a person chooses the actions. */
import { type HostEnvironment, hasMask, type Info, infoMasks } from "../../rl/faces.ts";
import { elementNumbers, type SingleAgentSpace } from "../../rl/spaces.ts";
import { Numbers, type RecordedEpisode, type Recording } from "./Recording.ts";

type Later<T> = T | Promise<T>;

/** A single-agent environment, which may run elsewhere and reply asynchronously. */
export interface RecordedEnvironment
  extends Pick<HostEnvironment, "observation_space" | "action_space" | "spec"> {
  reset(...given: Parameters<HostEnvironment["reset"]>): Later<ReturnType<HostEnvironment["reset"]>>;
  step(...given: Parameters<HostEnvironment["step"]>): Later<ReturnType<HostEnvironment["step"]>>;
}

/** The action for an observation, in the environment's format. */
export type Act = (observation: ArrayLike<number>, info: Info) => Later<number | ArrayLike<number>>;

interface EpisodeOptions {
  readonly id: number;
  /** Of the environment's reset. */
  readonly seed: number;
  readonly act: Act;
  /** Asked after each step: whether the episode is cut there (default: never). */
  readonly isCut?: () => boolean;
}

interface RecorderOptions {
  readonly env: RecordedEnvironment;
  /** Id of the environment. */
  readonly environment: string;
  /** Short description of the policy. */
  readonly algorithm: string;
}

const listOf = (value: number | ArrayLike<number>): ArrayLike<number> =>
  typeof value === "number" ? [value] : value;

export class Recorder {
  readonly #env: RecordedEnvironment;
  readonly #about: Pick<Recording, "environment" | "algorithm">;
  /** Whether any observation came with a mask. */
  #isMasked = false;

  constructor({ env, ...about }: RecorderOptions) {
    this.#env = env;
    this.#about = about;
  }

  // Agents act in spaces of one agent only.
  get observation_space(): SingleAgentSpace {
    return this.#env.observation_space as SingleAgentSpace;
  }

  get action_space(): SingleAgentSpace {
    return this.#env.action_space as SingleAgentSpace;
  }

  /**
   * Plays an episode until it ends or is cut.
   * @throws Errors of the environment and of `act`, and RangeError for a mask that does not fit the actions.
   */
  async episode({ id, seed, act, isCut = () => false }: EpisodeOptions): Promise<RecordedEpisode> {
    const { observation_space, action_space } = this;
    const observations = new Numbers();
    const actions = new Numbers();
    const rewards = new Numbers();
    const masks = new Numbers();
    const addMask = (info: Info, isOver: boolean): void => {
      const mask = infoMasks(action_space, [info], [Number(isOver)]);
      this.#isMasked ||= mask !== null && hasMask(info);
      masks.add(mask ?? []);
    };
    let { observation, info } = await this.#env.reset({ seed });
    observations.add(elementNumbers(observation_space, observation));
    addMask(info ?? {}, false);
    let [terminated, truncated] = [false, false];
    while (!terminated && !truncated) {
      const action = await act(elementNumbers(observation_space, observation), info ?? {});
      const step = await this.#env.step(action);
      actions.add(listOf(action));
      rewards.add([Number(step.reward)]);
      observations.add(elementNumbers(observation_space, step.observation));
      ({ observation, info } = step);
      const cut = isCut();
      terminated = Boolean(step.terminated);
      truncated = !terminated && (Boolean(step.truncated) || cut);
      addMask(info ?? {}, terminated);
    }
    return {
      id,
      seed,
      observations: Float32Array.from(observations.values),
      actions: Float32Array.from(actions.values),
      rewards: rewards.values,
      masks: Int8Array.from(masks.values),
      terminated,
      truncated,
    };
  }

  /** A recording of these of its episodes, without masks if the environment gave none. */
  recording(episodes: readonly RecordedEpisode[]): Recording {
    const { observation_space, action_space } = this;
    const max_episode_steps = this.#env.spec?.max_episode_steps ?? null;
    const kept = this.#isMasked ? episodes : episodes.map((episode) => ({ ...episode, masks: null }));
    return { observation_space, action_space, ...this.#about, max_episode_steps, episodes: kept };
  }
}
