import { Random } from "../../../evolution/random.ts";

/** Random numbers of an environment's episodes, seeded by the reset, or else by the number of the episode. */
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
