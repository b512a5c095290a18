import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pad } from "../../../../src/kernels/functions/layers.ts";
import { convolution } from "../../../../src/kernels/functions.ts";
import * as k from "../../../../src/kernels/index.ts";
import { liveNodes } from "../../../../src/kernels/lowering/liveness.ts";
import { numbers } from "../../support/numbers.ts";
import { runOnReference } from "../../support/run.ts";

const fill = (seed: number, length: number): number[] => {
  const next = numbers(seed);
  return Array.from({ length }, () => 2 * next() - 1);
};

interface Problem {
  readonly [key: string]: number | string;
  readonly n: number;
  readonly height: number;
  readonly width: number;
  readonly channels: number;
  readonly out: number;
  readonly kernelHeight: number;
  readonly kernelWidth: number;
  readonly strideDown: number;
  readonly strideAcross: number;
  readonly padding: number;
  readonly mode: "zeros" | "replicate";
}

/** The definition, element by element: PyTorch's layouts, [n, channels, y, x] and [out, in, y, x]. */
function byDefinition(
  p: Problem,
  image: readonly number[],
  weight: readonly number[],
  bias: readonly number[],
) {
  const { n, height, width, channels, out, kernelHeight, kernelWidth, strideDown, strideAcross, padding } = p;
  const inside = (value: number, limit: number) => Math.max(0, Math.min(limit - 1, value));
  const element = (i: number, c: number, y: number, x: number): number => {
    const [row, column] = [inside(y, height), inside(x, width)];
    if (p.mode === "zeros" && (row !== y || column !== x)) return 0;
    return image[((i * channels + c) * height + row) * width + column] ?? Number.NaN;
  };
  const rows = Math.floor((height + 2 * padding - kernelHeight) / strideDown) + 1;
  const columns = Math.floor((width + 2 * padding - kernelWidth) / strideAcross) + 1;
  const result: number[] = [];
  for (let i = 0; i < n; i++)
    for (let o = 0; o < out; o++)
      for (let r = 0; r < rows; r++)
        for (let s = 0; s < columns; s++) {
          let total = bias[o] ?? Number.NaN;
          for (let c = 0; c < channels; c++)
            for (let ky = 0; ky < kernelHeight; ky++)
              for (let kx = 0; kx < kernelWidth; kx++)
                total +=
                  element(i, c, r * strideDown + ky - padding, s * strideAcross + kx - padding) *
                  (weight[((o * channels + c) * kernelHeight + ky) * kernelWidth + kx] ?? Number.NaN);
          result.push(total);
        }
  return { result, rows, columns };
}

/** Element [i, c, y, x] moved to [i, y, x, c]. */
const channelsLast = (values: readonly number[], n: number, channels: number, area: number): number[] =>
  Array.from({ length: values.length }, (_, at) => {
    const [c, place, i] = [
      at % channels,
      Math.floor(at / channels) % area,
      Math.floor(at / (channels * area)),
    ];
    return i < n ? (values[(i * channels + c) * area + place] ?? Number.NaN) : Number.NaN;
  });

const problems: fc.Arbitrary<Problem> = fc
  .record({
    n: fc.integer({ min: 1, max: 3 }),
    height: fc.integer({ min: 1, max: 6 }),
    width: fc.integer({ min: 1, max: 6 }),
    channels: fc.integer({ min: 1, max: 5 }),
    out: fc.integer({ min: 1, max: 5 }),
    kernelHeight: fc.integer({ min: 1, max: 4 }),
    kernelWidth: fc.integer({ min: 1, max: 4 }),
    strideDown: fc.integer({ min: 1, max: 3 }),
    strideAcross: fc.integer({ min: 1, max: 3 }),
    padding: fc.integer({ min: 0, max: 2 }),
    mode: fc.constantFrom("zeros" as const, "replicate" as const),
  })
  .filter((p) => p.kernelHeight <= p.height + 2 * p.padding && p.kernelWidth <= p.width + 2 * p.padding);

describe("convolution", () => {
  it("is PyTorch's, with axes in another order", () => {
    fc.assert(
      fc.property(problems, fc.nat(1000), (p, seed) => {
        const area = p.height * p.width;
        const window = p.kernelHeight * p.kernelWidth;
        const image = fill(seed, p.n * p.channels * area);
        const weight = fill(seed + 1, p.out * p.channels * window);
        const bias = fill(seed + 2, p.out);
        const { result, rows, columns } = byDefinition(p, image, weight, bias);
        const [n, channels, out] = [k.sym("n"), k.sym("channels"), k.sym("out")];
        const program = k.trace("convolution", () => {
          const y = convolution(
            k.state("x", [n, p.height, p.width, channels]).read(),
            k.state("weight", [p.kernelHeight, p.kernelWidth, channels, out]).read(),
            k.state("bias", [out]).read(),
            {
              stride: [p.strideDown, p.strideAcross],
              padding: [p.padding, p.padding],
              padding_mode: p.mode,
            },
          );
          k.state("y", [n, rows, columns, out]).write(y);
        });
        const found = runOnReference(
          program,
          { n: p.n, channels: p.channels, out: p.out },
          {
            x: channelsLast(image, p.n, p.channels, area),
            // [out, in, ky, kx] to [ky, kx, in, out]
            weight: Array.from({ length: weight.length }, (_, at) => {
              const [o, c] = [at % p.out, Math.floor(at / p.out) % p.channels];
              const place = Math.floor(at / (p.out * p.channels));
              return weight[(o * p.channels + c) * window + place] ?? Number.NaN;
            }),
            bias,
          },
          { precision: "f64" },
        ).y as number[];
        const expected = channelsLast(result, p.n, p.out, rows * columns);
        expect(found.length).toBe(expected.length);
        expected.forEach((value, i) => {
          expect(found[i]).toBeCloseTo(value, 9);
        });
      }),
      { numRuns: 200, seed: 5 },
    );
  });

  /** A learning step of two convolutions, with the gradients of the weights and, if asked, of the image. */
  const step = (ofImage: boolean) =>
    k.trace("step", () => {
      const [image, first, second] = [
        k.state("x", [k.sym("n"), 5, 5, 2]),
        k.state("first", [2, 2, 2, 3]),
        k.state("second", [2, 2, 3, 1]),
      ];
      const wrt = [first, second, ...(ofImage ? [image] : [])].map((s) => ({ s, value: s.read() }));
      const of = (state: k.State) => wrt.find(({ s }) => s === state)?.value ?? state.read();
      const loss = k.meanAll(convolution(convolution(of(image), of(first)), of(second)));
      k.grad(
        loss,
        wrt.map(({ value }) => value),
      ).forEach((g, i) => {
        k.state(`gradient${i}`, g.shape).write(g);
      });
    });

  it("folds the gradient of an image only where somebody asks for it", () => {
    const count = (ofImage: boolean, name: string) =>
      [...liveNodes(step(ofImage).region)].filter(({ op }) => op.name === name).length;
    expect(count(false, "patches")).toBeGreaterThan(0);
    expect(count(false, "foldPatches")).toBe(1);
    expect(count(true, "foldPatches")).toBe(2);
    // A fold's product with the weights.
    expect(count(true, "matmul") - count(false, "matmul")).toBe(1);
  });

  it.each<[string, () => void, RegExp]>([
    [
      "a weight of another rank",
      () => convolution(k.zeros([1, 4, 4, 2]), k.zeros([3, 2, 2])),
      /^convolution: found images \[1,4,4,2\] and weight \[3,2,2\]; allowed \[n, \.\.\.spatial, in\]/,
    ],
    [
      "a kernel whose size is a symbol",
      () => convolution(k.zeros([1, 4, 2]), k.zeros([k.sym("size"), 2, 2])),
      /with a kernel of numbers/,
    ],
    [
      "widths of padding that are missing or negative",
      () => pad(k.zeros([1, 4, 4, 2]), [1]),
      /^pad: found widths 1 for images \[1,4,4,2\]; allowed one integer from 0 for each spatial axis$/,
    ],
    ["negative padding", () => pad(k.zeros([1, 4, 2]), [-1]), /^pad: found widths -1/],
  ])("refuses %s", (_what, body, message) => {
    expect(() => k.trace("refused", body)).toThrow(message);
  });
});
