/** A policy that plays in an environment on this thread. */

import { environmentSeed, PURPOSE } from "../agents/members.ts";
import type { DrawEnvironment } from "../rl/environments.ts";
import type { GreedyPolicy } from "./GreedyPolicy.ts";
import type { PlayedEnvironment, Situation } from "./PlayedEnvironment.ts";
import { Episode, type Paint, type PlayedEpisode } from "./PlayedEpisode.ts";
import type { Travelled } from "./stageProtocol.ts";
import type { Travel } from "./Travel.ts";

export class Play extends Episode implements PlayedEpisode {
  readonly busy = false;
  readonly #env: PlayedEnvironment;
  readonly #draw: DrawEnvironment | null;
  readonly #travel: Travel | null;
  #situation: Situation;
  #state: ArrayLike<number>;

  /**
   * Starts an episode.
   * @param env Closed by `close`, which also releases the actor.
   * @param draw Draws the environment; without it there are no pictures.
   * @param travel Of the environment's body.
   */
  constructor(
    env: PlayedEnvironment,
    actor: GreedyPolicy,
    seed: number,
    draw: DrawEnvironment | null = null,
    travel: Travel | null = null,
  ) {
    super(actor, seed);
    this.#env = env;
    this.#draw = draw;
    this.#travel = travel;
    this.#situation = this.#reset();
    this.#state = env.state();
    travel?.begin(this.#state);
  }

  get travelled(): Travelled | null {
    return this.#travel?.travelled ?? null;
  }

  value(): number | null {
    return this.action === null ? null : this.actor.value();
  }

  /** In the form that the environment's drawing function takes. */
  get state(): ArrayLike<number> {
    return this.#state;
  }

  get picture(): Paint | null {
    const draw = this.#draw;
    return (
      draw && ((context, size, theme) => draw(context, this.#state, this.action?.[0] ?? null, size, theme))
    );
  }

  step(): void {
    if (this.ended) return;
    this.action = this.actor.act(this.#situation);
    const outcome = this.#env.step(this.action);
    this.#situation = outcome;
    this.total += outcome.reward;
    this.steps += 1;
    this.ended = outcome.ended;
    this.#state = this.#env.state();
    this.#travel?.step(this.#state);
  }

  restart(seed: number): void {
    this.begin(seed);
    this.#situation = this.#reset();
    this.#state = this.#env.state();
    this.#travel?.begin(this.#state);
  }

  close(): void {
    this.releaseActors();
    this.#env.close();
  }

  #reset(): Situation {
    this.actor.forget();
    return this.#env.reset(environmentSeed(this.seed, PURPOSE.record));
  }
}
