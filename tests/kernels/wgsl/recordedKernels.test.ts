/**
 * The text of single kernels, kept as files to read; tests/recorded has fingerprints of whole programs.
 * After a change: npx vitest run tests/kernels/wgsl/recordedKernels.test.ts -u
 */
import { describe, expect, it } from "vitest";
import * as k from "../../../src/kernels/index.ts";
import { shaderOf } from "../../../src/kernels/wgsl/device.ts";
import { operationCases } from "../support/operationCases.ts";
import { operationProgram, symbolic } from "../support/operationProgram.ts";

const rows = k.sym("rows");
const width = k.sym("width");
const matrix = (name: string) => k.state(name, [rows, width]);

/** A layer, its gradients and a step down them: products of matrices, sums over both sides, fused elements. */
const layer = () =>
  k.trace("layer", () => {
    const [x, w, b] = [k.state("x", [rows, 3]), k.state("w", [3, width]), k.state("b", [width])];
    const weights = [w, b].map((s) => s.read()) as [k.Tensor, k.Tensor];
    const hidden = k.standardize(k.matmul(x.read(), weights[0], { bias: weights[1] }));
    const loss = k.meanAll(k.square(k.sub(k.maximum(hidden, 0), 1)));
    k.grad(loss, weights).forEach((g, i) => {
      [w, b][i]?.write(k.sub(weights[i] as k.Tensor, k.mul(g, 0.1)));
    });
    k.state("loss").write(loss);
  });

/** A loop that may end early, with rows of what it is at, and matrices that stay while it runs. */
const loop = () =>
  k.trace("loop", () => {
    const w = k.state("w", [width, width]).read();
    const { carry, ys } = k.scan({ count: 5, carry: [matrix("x").read()] }, ([x]) => {
      const next = k.tanh(k.matmul(x as k.Tensor, w));
      return { carry: [next], ys: [k.sumAll(next)], until: k.greater(k.sumAll(next), 4) };
    });
    matrix("x").write(carry[0] as k.Tensor);
    k.state("sums", [5]).write(ys[0] as k.Tensor);
  });

/** A shader's functions behind the prelude, which is the same in all of them and a file of its own. */
function bodyOf(program: k.Program): string {
  const { code } = shaderOf(program, { workgroupSize: 256, stagingBytes: 31_680, ahead: 4 });
  return code.slice(code.indexOf("\n// ", code.indexOf("fn tanhOf")));
}

/** Names of kernels of one operation, with the variant that they are of. */
const ONE_OPERATION = /^\w+( (true|false|staged|[fiu]32|\d+))*$/;

describe("recorded kernels", () => {
  it.each([
    ["layer", layer()],
    ["loop", loop()],
  ])("%s", async (name, program) => {
    await expect(`// ${program.name}${bodyOf(program)}\n`).toMatchFileSnapshot(`./kernels/${name}.wgsl`);
  });

  it("of every operation and its gradient, by itself", async () => {
    const kernels = new Map<string, string>();
    for (const operation of operationCases) {
      const functions = bodyOf(operationProgram(operation, symbolic, true).program).split("\n@compute")[0];
      for (const text of (functions ?? "").split("\n// ").slice(1)) {
        const name = text.slice(0, text.indexOf("\n"));
        if (!ONE_OPERATION.test(name) || kernels.has(name)) continue;
        // Its number tells its place in the program.
        kernels.set(name, `// ${text.trimEnd().replace(/^fn k\d+/m, "fn k")}\n`);
      }
    }
    const names = [...kernels.keys()].sort();
    expect(names).toEqual(
      expect.arrayContaining(["matmul false false true", "sum", "takeRows", "writeRows"]),
    );
    const text = names.map((name) => kernels.get(name)).join("\n");
    await expect(text).toMatchFileSnapshot("./kernels/operations.wgsl");
  });
});
