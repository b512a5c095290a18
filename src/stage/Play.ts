/** A policy at play, episode after episode, one step at a time. */

import { PURPOSE } from "../rl/runtime/turn.ts";
import { environmentSeed } from "../rl/runtime/wasm/hostEvaluation.ts";
import type { Actor } from "./Actor.ts";
import type { PlayedEnvironment, Situation } from "./PlayedEnvironment.ts";

export class Play {
  readonly #env: PlayedEnvironment;
  #actor: Actor;
  #next: Actor | null = null;
  #situation: Situation;
  #seed: number;
  #steps = 0;
  #total = 0;
  #ended = false;
  #action: readonly number[] | null = null;
  #state: ArrayLike<number>;

  /** Begins an episode. @param env Given back by `close`, as is the actor. */
  constructor(env: PlayedEnvironment, actor: Actor, seed: number) {
    this.#env = env;
    this.#actor = actor;
    this.#seed = seed;
    this.#situation = this.#reset();
    this.#state = env.state();
  }

  /** Of the episode's start. */
  get seed(): number {
    return this.#seed;
  }

  /** Steps of the episode so far. */
  get steps(): number {
    return this.#steps;
  }

  /** Rewards of the episode so far, of all agents together. */
  get total(): number {
    return this.#total;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** The last action as the environment took it; null before the first. */
  get action(): readonly number[] | null {
    return this.#action;
  }

  /** What the agent expected to come when it chose the last action; null before the first, or where it cannot say. */
  value(): number | null {
    return this.#action === null ? null : this.#actor.value();
  }

  /** As the environment's drawing takes it. */
  get state(): ArrayLike<number> {
    return this.#state;
  }

  /** One step of the episode; nothing once it has ended. */
  step(): void {
    if (this.#ended) return;
    this.#action = this.#actor.act(this.#situation);
    const outcome = this.#env.step(this.#action);
    this.#situation = outcome;
    this.#total += outcome.reward;
    this.#steps += 1;
    this.#ended = outcome.ended;
    this.#state = this.#env.state();
  }

  /** Begins another episode, by the policy that was given last. */
  restart(seed: number): void {
    if (this.#next) {
      this.#actor.release();
      this.#actor = this.#next;
      this.#next = null;
    }
    this.#seed = seed;
    this.#steps = 0;
    this.#total = 0;
    this.#ended = false;
    this.#action = null;
    this.#situation = this.#reset();
    this.#state = this.#env.state();
  }

  /** Another policy, from the next episode on: the return of each is that of one policy. */
  follow(actor: Actor): void {
    this.#next?.release();
    this.#next = actor;
  }

  close(): void {
    this.#next?.release();
    this.#actor.release();
    this.#env.close();
  }

  #reset(): Situation {
    this.#actor.forget();
    return this.#env.reset(environmentSeed(this.#seed, PURPOSE.record));
  }
}
