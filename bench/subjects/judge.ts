import { type AgentState, drain } from "../../src/agents/members.ts";
import { WasmDevice } from "../../src/kernels/devices.ts";
import type { EnvironmentOptions } from "../../src/rl/faces.ts";
import { type MemberTurns, registeredMembers } from "../../src/training/workloads.ts";

/** Default number of episodes. */
export const EPISODES = 20;
/** Differs from every training seed, so that evaluation never repeats a training episode's random draws. */
const SEED = 987_654_321;

/** Scores agents with the same greedy episodes every time, outside of the run that trains them. */
export class Judge {
  readonly #runner: MemberTurns;
  readonly #episodes: number;
  readonly #seed: number;

  private constructor(runner: MemberTurns, episodes: number, seed: number) {
    this.#runner = runner;
    this.#episodes = episodes;
    this.#seed = seed;
  }

  /**
   * @param episodes Number of episodes, played in parallel.
   * @param draw Selects other episodes; each number has its own.
   * @param options Options of the environment.
   */
  static async in(
    environment: string,
    episodes = EPISODES,
    draw = 0,
    options: EnvironmentOptions = {},
  ): Promise<Judge> {
    const source = await registeredMembers(environment, options);
    return new Judge(source.runner(new WasmDevice(), null), episodes, SEED + draw);
  }

  /** Mean return of greedy episodes, summed over agents in multi-agent environments. */
  score(agent: AgentState): number {
    return this.#evaluation(agent).fitness;
  }

  /** The part of greedy episodes that reach their goal; NaN in an environment without goals. */
  successRate(agent: AgentState): number {
    return this.#evaluation(agent).success_rate ?? Number.NaN;
  }

  #evaluation(agent: AgentState) {
    const evaluation = this.#runner.evaluate(agent, {
      slot: 0,
      generation: 0,
      seed: this.#seed,
      num_envs: this.#episodes,
      evo_steps: this.#episodes,
      eval_loop: 1,
      eval_steps: null,
      off_policy: null,
    });
    return drain(evaluation);
  }
}
