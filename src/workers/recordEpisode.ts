/** Records greedy episodes of an agent on a device of its own. */
import { WasmDevice } from "../kernels/wasm/device.ts";
import type { AgentState } from "../rl/agents/agentState.ts";
import { findEnvironment, stateSize } from "../rl/environments/index.ts";
import { compiledProgram } from "../rl/runtime/programSet.ts";
import { bindAgent, Residence } from "../rl/runtime/residence.ts";
import { PURPOSE } from "../rl/runtime/turn.ts";
import type { Episode } from "./protocol.ts";

export class EpisodeRecorder {
  #residence: Residence | null = null;

  /** One episode from a reset by `seed`, to its end or the environment's time limit. */
  record(agent: AgentState, environment: string, generation: number, seed: number): Episode {
    const env = findEnvironment(environment);
    const reset = compiledProgram(agent, env, "reset");
    const step = compiledProgram(agent, env, "record");
    this.#residence ??= new Residence(new WasmDevice());
    const residence = this.#residence;
    residence.prepare(agent, [reset, step], bindAgent(agent, { num_envs: 1, batch: 1 }));
    residence.load(agent);
    residence.setKey(seed, PURPOSE.record);
    residence.run(reset);

    const states: number[] = [];
    const actions: number[] = [];
    const rewards: number[] = [];
    const noteState = () => {
      for (const name of env.variables) states.push(...residence.arena.view(`env.${name}`));
    };
    noteState();
    for (let ended = false; !ended && rewards.length < env.max_episode_steps; ) {
      residence.run(step);
      noteState();
      actions.push(...residence.arena.view("record.action"));
      rewards.push(residence.number("record.reward"));
      ended = residence.number("record.ended") !== 0;
    }
    return {
      environment,
      generation,
      seed,
      states: Float32Array.from(states),
      width: stateSize(env),
      length: rewards.length + 1,
      actions: Float32Array.from(actions),
      rewards: Float32Array.from(rewards),
      total: rewards.reduce((sum, reward) => sum + reward, 0),
    };
  }
}
