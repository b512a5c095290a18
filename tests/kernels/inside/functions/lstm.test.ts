import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type LstmParameters, lstm, lstmCell } from "../../../../src/kernels/functions.ts";
import * as k from "../../../../src/kernels/index.ts";
import { lower } from "../../../../src/kernels/lowering/lower.ts";
import type { Step } from "../../../../src/kernels/lowering/schedule.ts";
import type { FunctionBody } from "../../../../src/kernels/wasm/encoder.ts";
import { KERNEL_FORMS } from "../../../../src/kernels/wasm/kernelForms.ts";
import { writeRowsKernel } from "../../../../src/kernels/wasm/rows.ts";
import { numbers } from "../../support/numbers.ts";
import { runOnReference } from "../../support/run.ts";

const [n, inputs, units, gates] = [k.sym("n"), k.sym("in"), k.sym("H"), k.mulDims(4, k.sym("H"))];

const readParameters = (): LstmParameters => ({
  weight_ih: k.state("weight_ih", [inputs, gates]).read(),
  weight_hh: k.state("weight_hh", [units, gates]).read(),
  bias_ih: k.state("bias_ih", [gates]).read(),
  bias_hh: k.state("bias_hh", [gates]).read(),
});
const readState = () => ({ h: k.state("h", [n, units]).read(), c: k.state("c", [n, units]).read() });

/** Steps of one sequence, written into `hidden`, `last_h` and `last_c`. */
const sequence = (steps: number): k.Program =>
  k.trace("sequence", () => {
    const x = k.state("x", [steps, n, inputs]).read();
    const { hidden, last } = lstm(x, readState(), readParameters());
    k.state("hidden", [steps, n, units]).write(hidden);
    k.state("last_h", [n, units]).write(last.h);
    k.state("last_c", [n, units]).write(last.c);
  });

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));

describe("lstm", () => {
  it("is the recurrence of PyTorch's LSTM, gate by gate", () => {
    const size = fc.integer({ min: 1, max: 4 });
    fc.assert(
      fc.property(size, size, size, size, fc.nat(1000), (steps, rows, width, hiddenSize, seed) => {
        const next = numbers(seed);
        const fill = (length: number) => Array.from({ length }, () => 2 * next() - 1);
        const four = 4 * hiddenSize;
        const initial = {
          x: fill(steps * rows * width),
          h: fill(rows * hiddenSize),
          c: fill(rows * hiddenSize),
          weight_ih: fill(width * four),
          weight_hh: fill(hiddenSize * four),
          bias_ih: fill(four),
          bias_hh: fill(four),
        };
        const found = runOnReference(sequence(steps), { n: rows, in: width, H: hiddenSize }, initial, {
          precision: "f64",
        });
        let [h, c] = [initial.h, initial.c];
        const hidden: number[] = [];
        for (let t = 0; t < steps; t++) {
          const gate = (row: number, column: number) => {
            let total = (initial.bias_ih[column] as number) + (initial.bias_hh[column] as number);
            for (let i = 0; i < width; i++)
              total +=
                (initial.x[(t * rows + row) * width + i] as number) *
                (initial.weight_ih[i * four + column] as number);
            for (let u = 0; u < hiddenSize; u++)
              total += (h[row * hiddenSize + u] as number) * (initial.weight_hh[u * four + column] as number);
            return total;
          };
          const states = h.map((_, at) => {
            const [row, unit] = [Math.floor(at / hiddenSize), at % hiddenSize];
            const [i, f, g, o] = [0, 1, 2, 3].map((part) => gate(row, part * hiddenSize + unit)) as [
              number,
              number,
              number,
              number,
            ];
            const cell = sigmoid(f) * (c[at] as number) + sigmoid(i) * Math.tanh(g);
            return { cell, hidden: sigmoid(o) * Math.tanh(cell) };
          });
          c = states.map((s) => s.cell);
          h = states.map((s) => s.hidden);
          hidden.push(...h);
        }
        for (const [name, expected] of Object.entries({ hidden, last_h: h, last_c: c }))
          expected.forEach((value, i) => {
            expect(found[name]?.[i], `${name}[${i}]`).toBeCloseTo(value, 9);
          });
      }),
      { numRuns: 30, seed: 6 },
    );
  });

  it("walked cell by cell gives the same sequence", () => {
    const program = k.trace("cells", () => {
      const x = k.state("x", [2, n, inputs]).read();
      const parameters = readParameters();
      const whole = lstm(x, readState(), parameters);
      const rows = k.reshape(x, [2, k.mulDims(n, inputs)]);
      const at = (t: number) => k.reshape(k.takeRows(rows, k.add(k.iota(1), t)), [n, inputs]);
      const second = lstmCell(at(1), lstmCell(at(0), readState(), parameters), parameters);
      k.state("difference").write(
        k.maxAll(k.add(k.abs(k.sub(second.h, whole.last.h)), k.abs(k.sub(second.c, whole.last.c)))),
      );
    });
    const next = numbers(3);
    const fill = (length: number) => Array.from({ length }, () => 2 * next() - 1);
    const initial = {
      x: fill(2 * 3 * 5),
      h: fill(3 * 2),
      c: fill(3 * 2),
      weight_ih: fill(5 * 8),
      weight_hh: fill(2 * 8),
      bias_ih: fill(8),
      bias_hh: fill(8),
    };
    expect(runOnReference(program, { n: 3, in: 5, H: 2 }, initial).difference?.[0]).toBeLessThan(1e-6);
  });

  it("has one product a step each way: those of inputs and weights' gradients, and all packing, are outside its loops", () => {
    const program = k.trace("learn", () => {
      const parameters = readParameters();
      const { hidden } = lstm(k.state("x", [7, n, inputs]).read(), readState(), parameters);
      k.grad(k.meanAll(hidden), Object.values(parameters)).forEach((g, i) => {
        k.state(`gradient${i}`, g.shape).write(g);
      });
    });
    const names: string[] = [];
    const steps = lower<FunctionBody>(program, {
      addKernel: (name) => names.push(name) - 1,
      kernels: KERNEL_FORMS,
      mostInGroup: 300,
      stages: false,
      writeRows: writeRowsKernel,
    });
    const kernelsOf = (list: readonly Step[]) =>
      list.flatMap((step) => (step.kind === "kernel" ? [names[step.func] as string] : []));
    const loops = steps.flatMap((step) => (step.kind === "loop" ? [step.body] : []));
    const products = (list: readonly string[]) => list.filter((name) => /gemm|pack/.test(name)).sort();
    expect(loops.map((body) => products(kernelsOf(body)))).toEqual([
      ["gemm false false"],
      ["gemm false false"],
    ]);
    // The inputs' product, the gradients of the two weights, and a packing for each of these and of the loops'.
    expect(products(kernelsOf(steps))).toEqual([
      "gemm false true",
      "gemm true false",
      "gemm true false",
      ...Array.from({ length: 4 }, () => "pack false"),
      "pack true",
    ]);
  });
});
