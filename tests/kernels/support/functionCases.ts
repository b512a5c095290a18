/** Functions made of operations, as cases of the same form: their gradients and both targets are checked alike. */
import { convolution, pad } from "../../../src/kernels/functions/convolution.ts";
import type { Tensor } from "../../../src/kernels/index.ts";
import { type OperationCase, operationCase } from "./operationCases.ts";

const close = { exact: false };

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
];
