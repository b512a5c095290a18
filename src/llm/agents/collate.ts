/** Joins episodes into one padded batch. */
import type { EpisodeData } from "../environments/Episode.ts";
import type { Experiences } from "./AgentCore.ts";

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
