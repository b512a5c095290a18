/**
 * Plays trajectories in parallel: environments are reset and stepped in rounds, the policy completes all prompts of a
 * round together, and episodes join into one padded batch.
 */
import { TimeoutError } from "../../evolution/members.ts";
import type { Growing } from "../engine/Decodings.ts";
import { generate, type RowDraw } from "../engine/generate.ts";
import type { EpisodeData } from "../environments/Episode.ts";
import type { RolloutHarness } from "../environments/RolloutHarness.ts";
import type { EpisodeStart } from "../environments/seeds.ts";
import type { AnswerRules } from "../sampling/AnswerRules.ts";
import type { SamplingSettings } from "../sampling/SamplingSettings.ts";
import type { StopStrings } from "../sampling/StopStrings.ts";
import type { Experiences } from "./learntBatches.ts";

/**
 * Joins episodes into one batch, padded on the right with `pad` to the longest, and at least two tokens wide.
 * @param turns Upper bound on the turns of an episode.
 */
export function collate(episodes: readonly EpisodeData[], turns: number, pad: number): Experiences {
  const rows = episodes.length;
  const length = Math.max(2, ...episodes.map(({ input_ids }) => input_ids.data.length));
  const columns = length - 1;
  const input_ids = new Int32Array(rows * length).fill(pad);
  const attention_mask = new Int32Array(rows * length);
  const action_mask = new Float32Array(rows * columns);
  const turn_ids = new Int32Array(rows * columns).fill(-1);
  const rewards = new Float32Array(rows * turns);
  const sampling_log_probs = episodes.every((episode) => episode.sampling_log_probs !== null)
    ? new Float32Array(rows * columns)
    : null;
  for (const [row, episode] of episodes.entries()) {
    input_ids.set(episode.input_ids.data, row * length);
    attention_mask.fill(1, row * length, row * length + episode.input_ids.data.length);
    action_mask.set(episode.action_mask.data, row * columns);
    turn_ids.set(episode.turn_ids.data, row * columns);
    rewards.set(episode.rewards.subarray(0, turns), row * turns);
    let drawn = 0;
    for (const [t, own] of episode.action_mask.data.entries())
      if (sampling_log_probs && own === 1)
        sampling_log_probs[row * columns + t] = episode.sampling_log_probs?.[drawn++] ?? Number.NaN;
  }
  return {
    sequences: { rows, length, input_ids, attention_mask },
    turns,
    action_mask,
    turn_ids,
    rewards,
    ...(sampling_log_probs === null ? {} : { sampling_log_probs }),
  };
}

interface RolloutPlan {
  /** Rows of the cache: at least one for each trajectory. */
  readonly rows: number;
  /** Start of each trajectory. */
  readonly resets: readonly EpisodeStart[];
  readonly settings: SamplingSettings;
  readonly answers: AnswerRules | null;
  readonly stops: StopStrings | null;
  /** Upper bound on the tokens of a completion; `null` for the remaining length of the sequence. */
  readonly max_output_tokens: number | null;
  /** Longest sequence in tokens. */
  readonly max_model_len: number;
  /** Upper bound on the turns of an episode. */
  readonly turns: number;
  readonly draw: (trajectory: number) => RowDraw;
  /** Time limit for each round of resets or steps, in seconds; `null` for none. */
  readonly io_timeout_s: number | null;
}

/** Concatenates two arrays. */
const joined = (a: Int32Array, b: Int32Array): Int32Array => {
  const both = new Int32Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
};

/**
 * Plays an episode in each harness.
 * @param openDecoding Opens a cache for `rows` rows of up to `tokens` tokens.
 * @throws TimeoutError for a round that exceeds the time limit; errors of an environment.
 */
export async function collectRollouts(
  harnesses: readonly RolloutHarness[],
  openDecoding: (rows: number, tokens: number) => Promise<Growing>,
  plan: RolloutPlan,
): Promise<readonly EpisodeData[]> {
  const {
    resets,
    settings,
    answers,
    stops,
    max_output_tokens,
    max_model_len,
    draw,
    io_timeout_s: seconds,
  } = plan;
  const begun = await withDeadline(
    harnesses.map((harness, i) => harness.reset(resets[i])),
    { seconds, what: "reset" },
  );
  let prompts = begun.map(([{ input_ids }], i) => (harnesses[i]?.done ? null : input_ids));
  const mostOf = (prompt: Int32Array | null): number =>
    prompt === null ? 0 : Math.min(max_output_tokens ?? max_model_len, max_model_len - prompt.length);
  // The feedback of later turns is not known yet.
  const longest =
    plan.turns > 1
      ? max_model_len
      : prompts.reduce((all, prompt) => Math.max(all, (prompt?.length ?? 0) + mostOf(prompt)), 0);
  const decoding = await openDecoding(plan.rows, longest);
  for (let turn = 0; prompts.some((prompt) => prompt !== null); turn++) {
    const most = prompts.map(mostOf);
    const completions = await generate(decoding, prompts, { settings, answers, stops, most, draw });
    const stepped = await withDeadline(
      harnesses.map(async (harness, i) => {
        const [prompt, completion] = [prompts[i], completions[i]];
        if (!prompt || !completion) return null;
        const { ids, log_probs } = completion;
        const [next] = await harness.step(joined(prompt, ids), { log_probs });
        return harness.done ? null : next.input_ids;
      }),
      { seconds, what: `step of turn ${turn + 1}` },
    );
    prompts = stepped;
  }
  return harnesses.map((harness) => harness.getEpisodeData());
}

interface Deadline {
  /** `null` means no limit. */
  readonly seconds: number | null;
  /** The round's task for messages, such as "step of turn 2". */
  readonly what: string;
}

/** Number of trajectories that a message lists; the rest are only counted. */
const MOST_NAMED = 16;
/** Longest time of a timer, in milliseconds. */
const LONGEST_WAIT = 2 ** 31 - 1;

/**
 * Waits for one concurrent round of resets or steps, with one promise per trajectory.
 *
 * @returns The values in the same order.
 * @throws TimeoutError past the deadline, with the number and names of the unfinished trajectories;
 *   the error of the first promise that rejects. Promises that have not settled are abandoned:
 *   JavaScript cannot cancel them.
 */
export function withDeadline<T>(round: readonly PromiseLike<T>[], { seconds, what }: Deadline): Promise<T[]> {
  const waiting = new Set(round.keys());
  const settled = Promise.all(
    round.map(async (promise, trajectory) => {
      const value = await promise;
      waiting.delete(trajectory);
      return value;
    }),
  );
  if (seconds === null) return settled;
  return new Promise((resolve, reject) => {
    const late = () => {
      const named = [...waiting].slice(0, MOST_NAMED).join(", ");
      const more = waiting.size > MOST_NAMED ? ` and ${waiting.size - MOST_NAMED} more` : "";
      reject(
        new TimeoutError(
          `${what}: ${waiting.size} of ${round.length} did not finish within ${seconds} s: trajectories ${named}${more}`,
        ),
      );
    };
    const timer = setTimeout(late, Math.min(seconds * 1000, LONGEST_WAIT));
    settled.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
