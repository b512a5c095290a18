import type { LayerOutputs } from "../../../../stage/stageProtocol.ts";

type Listener = (outputs: ReadonlyMap<string, Float32Array>) => void;

/** Passes what a playing policy's layers compute to drawings, outside React: up to 60 times a second. */
export class LayerFeed {
  readonly #listeners = new Set<Listener>();
  #frame = 0;
  #latest: ReadonlyMap<string, Float32Array> = new Map();

  /** Takes the outputs of one step; drawings get the latest at the next frame. */
  readonly publish = (layers: readonly LayerOutputs[]): void => {
    this.#latest = new Map(layers.map(({ name, values }) => [name, values]));
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      for (const listener of this.#listeners) listener(this.#latest);
    });
  };

  /** Returns a function that unsubscribes. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
