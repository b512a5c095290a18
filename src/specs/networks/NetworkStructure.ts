/** The structure of a network, for drawing it. */

/** One layer of a network. */
export interface LayerStructure {
  /** "linear", "conv", "lstm" ... */
  readonly kind: string;
  /** Number of outputs: nodes or channels. */
  readonly width: number;
  /** Null if there is none. */
  readonly activation: string | null;
  /** Whether its outputs are normalised. */
  readonly norm: boolean;
  /** Number of weights and biases. */
  readonly parameters: number;
}

export interface NetworkStructure {
  /** "actor", "critic", "head" ... */
  readonly name: string;
  /** From the input to the output. */
  readonly layers: readonly LayerStructure[];
  readonly parameters: number;
}
