/** Episodes as one padded batch. */
import type { EpisodeData } from "../environments/Episode.ts";
import type { Experiences } from "./AgentCore.ts";

/**
 * Episodes one after the other, padded on the right with `pad` to the longest; at least two tokens wide.
 * @param turns Most turns of an episode.
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
  for (const [row, episode] of episodes.entries()) {
    input_ids.set(episode.input_ids.data, row * length);
    attention_mask.fill(1, row * length, row * length + episode.input_ids.data.length);
    action_mask.set(episode.action_mask.data, row * columns);
    turn_ids.set(episode.turn_ids.data, row * columns);
    rewards.set(episode.rewards.subarray(0, turns), row * turns);
  }
  return { sequences: { rows, length, input_ids, attention_mask }, turns, action_mask, turn_ids, rewards };
}
