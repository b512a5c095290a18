/** The error of both targets for a program that cannot be lowered. */
import { expect, it } from "vitest";
import { assemble } from "../../src/kernels/devices.ts";
import * as k from "../../src/kernels/index.ts";
import { shaderOf } from "../../src/kernels/wgsl/device.ts";

it.each([
  ["wasm", (program: k.Program) => assemble(program)],
  ["WGSL", (program: k.Program) => shaderOf(program, { workgroupSize: 64, stagingBytes: 0 })],
])("%s: the error names a value that no operation computes", (_, compile) => {
  let missing: k.Tensor | undefined;
  const program = k.trace("broken", () => {
    const x = k.state("x", [2, 2]).read();
    missing = k.square(x);
    k.state("y", [2, 2]).write(k.matmul(missing, x));
  });
  const { nodes } = program.region;
  nodes.splice(nodes.indexOf(missing as k.Tensor), 1);
  expect(() => compile(program)).toThrow(`lowering: no value for ${missing}`);
});
