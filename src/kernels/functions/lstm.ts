/** Long short-term memory (Hochreiter and Schmidhuber 1997, with the forget gate of Gers et al. 2000). */
import { addDims, type Dim } from "../dim.ts";
import { add, mul } from "../ops/arithmetic.ts";
import { tanh } from "../ops/curves.ts";
import { slice } from "../ops/indexing.ts";
import { reshape } from "../ops/layout.ts";
import { matmul } from "../ops/matmul.ts";
import { scan } from "../scan.ts";
import type { Tensor } from "../tensor.ts";
import { sigmoid } from "./activations.ts";

/** Parameters of one layer. Columns hold the gates in PyTorch's order: input, forget, cell, output. */
export interface LstmParameters {
  /** [in, 4 H]. */
  readonly weight_ih: Tensor;
  /** [H, 4 H]. */
  readonly weight_hh: Tensor;
  /** [4 H]. */
  readonly bias_ih: Tensor;
  /** [4 H]. */
  readonly bias_hh: Tensor;
}

/** The products of one step, in place of those with the weights: of its input and of the hidden state, [n, 4 H]. */
export interface LstmProducts {
  /** With both biases. */
  readonly input: (x: Tensor) => Tensor;
  readonly hidden: (h: Tensor) => Tensor;
}

/** Hidden state and cell state, each [n, H]. */
export interface LstmState {
  readonly h: Tensor;
  readonly c: Tensor;
}

/** The input's [..., in] contribution to the gates, including both biases: [..., 4 H]. */
export const lstmInput = (x: Tensor, { weight_ih, bias_ih, bias_hh }: LstmParameters): Tensor =>
  matmul(x, weight_ih, { bias: add(bias_ih, bias_hh) });

/** The state after one step; `input` is the result of `lstmInput`, [n, 4 H]. */
export const lstmStep = (input: Tensor, state: LstmState, weight_hh: Tensor): LstmState =>
  lstmGates(add(matmul(state.h, weight_hh), input), state);

/** The state after one step, from the gates [n, 4 H] before their activations. */
function lstmGates(gates: Tensor, { h, c }: LstmState): LstmState {
  const width = h.shape[1] as Dim;
  let start: Dim = 0;
  const gate = (): Tensor => {
    const columns = slice(gates, start, width);
    start = addDims(start, width);
    return columns;
  };
  const [i, f, g, o] = [sigmoid(gate()), sigmoid(gate()), tanh(gate()), sigmoid(gate())];
  const next = add(mul(f, c), mul(i, g));
  return { h: mul(o, tanh(next)), c: next };
}

/** One step of PyTorch's LSTMCell: input [n, in]. */
export const lstmCell = (
  x: Tensor,
  state: LstmState,
  parameters: LstmParameters,
  products?: LstmProducts,
): LstmState =>
  products
    ? lstmGates(add(products.hidden(state.h), products.input(x)), state)
    : lstmStep(lstmInput(x, parameters), state, parameters.weight_hh);

/**
 * Runs a sequence [T, n, in]: returns the hidden states [T, n, H] and the last state. The inputs' part of all
 * gates is one matrix product before the loop. `keep` [T, n]: factor of the state before a step, 0 where it
 * is reset.
 */
export function lstm(
  x: Tensor,
  state: LstmState,
  parameters: LstmParameters,
  keep?: Tensor,
): { readonly hidden: Tensor; readonly last: LstmState } {
  const inputs = lstmInput(x, parameters);
  const { carry, ys } = scan(
    { count: x.shape[0] as Dim, carry: [state.h, state.c], xs: keep ? [inputs, keep] : [inputs] },
    ([h, c], [input, kept]) => {
      const column = kept && reshape(kept, [kept.shape[0] as Dim, 1]);
      const before = (carried: Tensor | undefined) =>
        column ? mul(carried as Tensor, column) : (carried as Tensor);
      const next = lstmStep(input as Tensor, { h: before(h), c: before(c) }, parameters.weight_hh);
      return { carry: [next.h, next.c], ys: [next.h] };
    },
  );
  const [h, c] = carry as [Tensor, Tensor];
  return { hidden: ys[0] as Tensor, last: { h, c } };
}
