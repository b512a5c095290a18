import { Random } from "../../../evolution/random.ts";

/** Draws of an environment's episodes: by the seed of a reset, or by the number of the episode where there is none. */
export class EpisodeRandom {
  readonly #stream: string;
  #episodes = 0;

  constructor(stream: string) {
    this.#stream = stream;
  }

  next(seed: number | undefined): Random {
    const generation = this.#episodes++;
    return seed === undefined
      ? new Random({ seed: 0, stream: this.#stream, generation })
      : new Random({ seed, stream: this.#stream });
  }
}
