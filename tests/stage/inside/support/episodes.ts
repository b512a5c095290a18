/** Whole episodes of policies at play. */

import type { AgentState } from "../../../../src/agents/members.ts";
import { WasmDevice } from "../../../../src/kernels/devices.ts";
import {
  findEnvironment,
  loadEnvironment,
  type RegisteredEnvironment,
} from "../../../../src/rl/environments.ts";
import { GreedyPolicy } from "../../../../src/stage/GreedyPolicy.ts";
import { Play } from "../../../../src/stage/Play.ts";
import { playedEnvironment } from "../../../../src/stage/PlayedEnvironment.ts";
import { travelOf } from "../../../../src/stage/Travel.ts";
import { decodeKeptAgent } from "../../../../src/training/files.ts";
import type { AgentFile } from "../../../../src/workers/protocol.ts";

export const device = new WasmDevice();

/** An agent at the start of an episode. */
export async function playOf(agent: AgentState, env: RegisteredEnvironment, seed = 1): Promise<Play> {
  await loadEnvironment(env.id);
  return new Play(playedEnvironment(env), new GreedyPolicy(device, env, agent), seed, null, travelOf(env));
}

/** States, actions and returns so far of an episode to its end. */
export function episodeOf(play: Play) {
  const states = [[...Array.from(play.state)]];
  const actions: number[][] = [];
  const totals = [0];
  while (!play.ended) {
    play.step();
    states.push([...Array.from(play.state)]);
    actions.push([...(play.action ?? [])]);
    totals.push(play.total);
  }
  return { states, actions, totals };
}

/** The episode that a kept agent plays where it was trained. */
export async function episodeOfFile({ bytes, environment, env_config }: AgentFile, seed = 1) {
  const play = await playOf(decodeKeptAgent(bytes).agent, findEnvironment(environment, env_config), seed);
  try {
    return episodeOf(play);
  } finally {
    play.close();
  }
}
