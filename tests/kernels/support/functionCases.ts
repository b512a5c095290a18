/** Functions made of operations, as cases of the same form: their gradients and both targets are checked alike. */

import {
  convolution,
  type LstmParameters,
  logSoftmax,
  lstm,
  lstmCell,
  pad,
  projectCategorical,
} from "../../../src/kernels/functions.ts";
import { type Dim, mulDims, softmax, type Tensor } from "../../../src/kernels/index.ts";
import { type OperationCase, operationCase } from "./operationCases.ts";

const close = { exact: false };

/** Of c numbers, with b units. */
const lstmParameters: Parameters<typeof operationCase>[1] = [
  [({ b, c }) => [c, mulDims(4, b)], "real"],
  [({ b }) => [b, mulDims(4, b)], "real"],
  [({ b }) => [mulDims(4, b)], "real"],
  [({ b }) => [mulDims(4, b)], "real"],
];
const named = (tensors: readonly Tensor[]): LstmParameters => {
  const [weight_ih, weight_hh, bias_ih, bias_hh] = tensors as [Tensor, Tensor, Tensor, Tensor];
  return { weight_ih, weight_hh, bias_ih, bias_hh };
};

export const functionCases: readonly OperationCase[] = [
  ...(["zeros", "replicate"] as const).flatMap((mode) => [
    operationCase(`pad with ${mode}`, [[({ a, c }) => [a, 3, 2, c], "real"]], (_k, [x]) => [
      pad(x as Tensor, [1, 2], mode),
      pad(x as Tensor, [2, 0], mode),
    ]),
    operationCase(
      `convolution padded with ${mode}`,
      [
        [({ a, c }) => [a, 4, 5, c], "real"],
        [({ b, c }) => [3, 2, c, b], "real"],
        [({ b }) => [b], "real"],
      ],
      (_k, [x, weight, bias]) =>
        convolution(x as Tensor, weight as Tensor, bias as Tensor, {
          stride: [2, 1],
          padding: [1, 1],
          padding_mode: mode,
        }),
      close,
    ),
  ]),
  operationCase(
    "convolution of lines and volumes without bias",
    [
      [({ a, c }) => [a, 6, c], "real"],
      [({ b, c }) => [3, c, b], "real"],
      [({ a, c }) => [a, 2, 3, 3, c], "real"],
      [({ b, c }) => [2, 2, 2, c, b], "real"],
    ],
    (_k, [line, narrow, volume, deep]) => [
      convolution(line as Tensor, narrow as Tensor),
      convolution(volume as Tensor, deep as Tensor),
    ],
    close,
  ),
  operationCase(
    "softmax of cubes",
    [[({ a, b, c }) => [a, b, c], "real"]],
    (_k, [x]) => [softmax(x as Tensor), logSoftmax(x as Tensor)],
    close,
  ),
  operationCase(
    "projectCategorical",
    [
      [({ a }) => [a, 5], "real"],
      [({ a }) => [a, 5], { below: () => 9 }],
    ],
    (k, [logits, places]) =>
      projectCategorical(
        softmax(logits as Tensor),
        k.sub(k.mul(k.cast(places as Tensor, "f32"), 0.37), 1.3),
        -1,
        1.5,
      ),
    close,
  ),
  operationCase(
    "lstmCell",
    [
      [({ a, c }) => [a, c], "real"],
      [({ a, b }) => [a, b], "real"],
      [({ a, b }) => [a, b], "real"],
      ...lstmParameters,
    ],
    (_k, [x, h, c, ...parameters]) => {
      const next = lstmCell(x as Tensor, { h: h as Tensor, c: c as Tensor }, named(parameters));
      return [next.h, next.c];
    },
    close,
  ),
  operationCase(
    "lstm",
    [
      [({ a, c }) => [3, a, c], "real"],
      [({ a, b }) => [a, b], "real"],
      [({ a, b }) => [a, b], "real"],
      ...lstmParameters,
    ],
    (_k, [x, h, c, ...parameters]) => {
      const { hidden, last } = lstm(x as Tensor, { h: h as Tensor, c: c as Tensor }, named(parameters));
      return [hidden, last.h, last.c];
    },
    close,
  ),
  operationCase(
    "a scan with a convolution, a bias and a scaling inside",
    [
      [({ a, c }) => [a, 3, 3, c], "real"],
      [({ c }) => [2, 2, c, c], "real"],
      [({ c }) => [c], "real"],
      [({ c }) => [1, c], "real"],
    ],
    (k, [x, weight, bias, scale]) => {
      const { carry } = k.scan({ count: 3, carry: [x as Tensor] }, ([image]) => {
        const options = { padding: [1, 1], stride: [1, 1] };
        const larger = convolution(image as Tensor, weight as Tensor, bias as Tensor, options);
        const pooled = k.mean(k.mean(larger, 1), 1);
        const shape = [pooled.shape[0] as Dim, 1, 1, pooled.shape[1] as Dim];
        const gain = k.reshape(k.mul(pooled, scale as Tensor), shape);
        return { carry: [k.tanh(k.add(image as Tensor, gain))] };
      });
      return carry;
    },
    close,
  ),
];

/** Cases whose slopes alone are checked: compiling a gradient's gradient takes software WebGPU a minute. */
export const secondOrderCases: readonly OperationCase[] = [
  operationCase(
    "the gradient of a scan that keeps costly values",
    [
      [({ a, b }) => [a, b], "real"],
      [({ b }) => [b, b], "real"],
    ],
    (k, [x, large], { a, b }) => {
      const weight = k.div(large as Tensor, k.dimValue(b));
      const { carry, ys } = k.scan(
        { count: a, carry: [k.zeros([1, b])], xs: [x as Tensor] },
        ([h], [row]) => {
          const next = k.tanh(k.add(k.matmul(h as Tensor, weight), row as Tensor));
          return { carry: [next], ys: [k.exp(next)] };
        },
      );
      const loss = k.add(k.sumAll(k.square(carry[0] as Tensor)), k.sumAll(ys[0] as Tensor));
      return k.grad(loss, [x as Tensor, weight]);
    },
    close,
  ),
];
