import { thinned } from "../../tracking/history.ts";
import type {
  MemberProgress,
  MemberReport,
  ProgressReport,
  TrainingEpisode,
} from "../../tracking/observer.ts";
import type { Member, ResultOf, Slice } from "./Workload.ts";

/** Milliseconds between two progress reports. */
const REPORT_MS = 250;

/** Most training episodes a second that progress reports have of a member. */
const EPISODES_A_SECOND = 20;

/** Training episodes that a report has of a generation, and the fewest and most of each member. */
const KEPT_EPISODES = { together: 256, fewest: 4, most: 64 };

/** The training episodes that the report of a generation keeps of a member. */
export function keptEpisodes(
  training: NonNullable<ResultOf["training"]>,
  population: number,
): NonNullable<MemberReport["training"]> {
  const { together, fewest, most } = KEPT_EPISODES;
  const share = Math.min(most, Math.max(fewest, Math.floor(together / population)));
  // Returns are f32 numbers, whose further digits would be noise in a log.
  return thinned(training, share).map(([step, ret]) => [step, Number(ret.toPrecision(7))]);
}

interface Working {
  steps: number;
  score: number | null;
  readonly index: number;
  readonly parent: number | null;
}

/** Training episodes of a member that are not reported yet, and the step that was told of last. */
interface Told {
  episodes: TrainingEpisode[];
  last: number;
}

/** Counts the work and the time of a generation, and of each member if slices name their member. */
export class GenerationProgress {
  readonly #start = performance.now();
  #reported = this.#start;
  /** Milliseconds between the last two reports. */
  #elapsed = 0;
  #env_steps = 0;
  #learn_steps = 0;
  readonly #members: Working[];
  readonly #told: Told[];
  #namesMembers = false;
  #tellsEpisodes = false;

  constructor(members: readonly Pick<Member, "index" | "parent">[]) {
    this.#members = members.map(({ index, parent }) => ({ index, parent, steps: 0, score: null }));
    this.#told = members.map(() => ({ episodes: [], last: -1 }));
  }

  add({ slot, env_steps, learn_steps, score, episodes }: Slice): void {
    this.#env_steps += env_steps;
    this.#learn_steps += learn_steps;
    const member = slot === undefined ? undefined : this.#members[slot];
    if (!member) return;
    this.#namesMembers = true;
    member.steps += env_steps;
    if (score !== undefined) member.score = score;
    const told = this.#told[slot ?? -1];
    if (!episodes || !told) return;
    this.#tellsEpisodes = true;
    // Work that was lost is repeated with the same episodes.
    const later = episodes.filter(([step]) => step > told.last);
    told.last = later.at(-1)?.[0] ?? told.last;
    for (const [step, ret] of later) told.episodes.push({ index: member.index, step, return: ret });
  }

  /** Whether it is time for a progress report. */
  due(): boolean {
    const now = performance.now();
    if (now - this.#reported < REPORT_MS) return false;
    this.#elapsed = now - this.#reported;
    this.#reported = now;
    return true;
  }

  seconds(): number {
    return Math.max(performance.now() - this.#start, 0.001) / 1000;
  }

  rates(): Pick<ProgressReport, "steps_per_second" | "learn_steps_per_second"> {
    const seconds = this.seconds();
    return {
      steps_per_second: this.#env_steps / seconds,
      learn_steps_per_second: this.#learn_steps / seconds,
    };
  }

  /** The training episodes since the last call. */
  #episodes(): readonly TrainingEpisode[] {
    const most = Math.max(1, Math.floor((EPISODES_A_SECOND * this.#elapsed) / 1000));
    return this.#told.flatMap((told) => {
      const { episodes } = told;
      told.episodes = [];
      return thinned(episodes, most);
    });
  }

  /** @param startStep The population's steps before the generation. */
  report(startStep: number): Omit<ProgressReport, "event" | "generation" | "total_steps"> {
    return {
      global_step: startStep + this.#env_steps,
      ...(this.#namesMembers && { members: this.#members.map((member): MemberProgress => ({ ...member })) }),
      ...(this.#tellsEpisodes && { episodes: this.#episodes() }),
      ...this.rates(),
    };
  }
}
