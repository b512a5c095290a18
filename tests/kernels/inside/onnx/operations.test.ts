/** Every operation's ONNX form under onnxruntime, against the reference evaluator. */
import { describe, expect, it } from "vitest";
import { toOnnx } from "../../../../src/kernels/devices.ts";
import { activate } from "../../../../src/kernels/functions.ts";
import { evalDim, type Program, type StateDecl, type Tensor } from "../../../../src/kernels/index.ts";
import { ONNX_FORMS } from "../../../../src/kernels/onnx/operations.ts";
import { ACTIVATIONS } from "../../../../src/manifests/index.ts";
import { type RuntimeInput, RuntimeModel } from "../../../support/onnxRuntime.ts";
import { functionCases } from "../../support/functionCases.ts";
import { operationCase, operationCases } from "../../support/operationCases.ts";
import { operationProgram, operationValues, symbolic } from "../../support/operationProgram.ts";
import { type Buffers, runOnReference } from "../../support/run.ts";

const WIDTHS = { b: 3, c: 4 };
const BATCHES = [1, 6];

const TYPES = { f32: "float32", i32: "int32", bool: "bool" } as const;

/** Random numbers, packed bytes and loops. */
const REFUSED = [
  "bitAnd",
  "bitOr",
  "bitXor",
  "bits",
  "halvesMatmul",
  "int8Matmul",
  "packBytes",
  "permutation",
  "scan",
  "shiftLeft",
  "shiftRight",
  "unpackBytes",
  "unpackHalves",
  "unpackInt8",
];

const opsOf = ({ region }: Program): string[] => [
  ...new Set(
    region.nodes
      .map(({ op }) => op.name)
      .filter((name) => !["read", "write", "writeRows", "scanResult"].includes(name)),
  ),
];
const isRefused = (program: Program): boolean =>
  opsOf(program).some((name) => !Object.hasOwn(ONNX_FORMS, name)) ||
  program.region.nodes.some(({ dtype }) => dtype === "u32");

function inputOf({ shape, dtype }: StateDecl, values: readonly number[], a: number): RuntimeInput {
  if (dtype === "u32") throw new TypeError("u32 is not exported");
  return { type: TYPES[dtype], shape: shape.map((dim) => evalDim(dim, { ...WIDTHS, a })), values };
}

/** Activations are made of operations that only they use. */
const activations = ACTIVATIONS.map((name) =>
  operationCase(
    name,
    [
      [({ a, b, c }) => [a, b, c], "real"],
      [() => [1], "real"],
    ],
    (_k, [x, slope]) => activate(name, x as Tensor, { slope: slope as Tensor }),
  ),
);

const all = [...operationCases, ...functionCases, ...activations].map((operation) => ({
  operation,
  made: operationProgram(operation, symbolic, false),
}));
const exported = all.filter(({ made }) => !isRefused(made.program));
const refused = all.filter(({ made }) => isRefused(made.program));

const exportOf = (program: Program) =>
  toOnnx(program, { free: ["a"], binding: WIDTHS, parameters: new Map(), version: "0.0.0" });

describe("operations in ONNX", () => {
  it.each(exported.map(({ operation, made }) => [operation.name, operation, made] as const))(
    "%s",
    async (_name, operation, made) => {
      const { program } = made;
      const model = await RuntimeModel.load(exportOf(program));
      for (const a of BATCHES) {
        const binding = { ...WIDTHS, a };
        const initial: Buffers = operationValues(operation, made, symbolic, binding, 3);
        const expected = runOnReference(program, binding, initial);
        const inputs = model.inputs.map(({ name }) => {
          const state = program.states.get(name) as StateDecl;
          return [name, inputOf(state, initial[name] as readonly number[], a)] as const;
        });
        const found = await model.run(Object.fromEntries(inputs));
        for (const [name, { shape, values }] of Object.entries(found)) {
          const state = program.states.get(name) as StateDecl;
          expect(shape, `shape of ${name}`).toEqual(state.shape.map((dim) => evalDim(dim, binding)));
          const wanted = expected[name] as readonly number[];
          // Products of a batch sum terms that cancel; each is of the order of 1.
          const scale = Math.max(1, ...wanted.map(Math.abs).filter(Number.isFinite));
          values.forEach((value, i) => {
            const want = wanted[i] as number;
            const off = value === want ? 0 : Math.abs(value - want);
            expect(off, `${name}[${i}] = ${value} beside ${want}, batch ${a}`).toBeLessThanOrEqual(
              1e-5 * scale,
            );
          });
        }
      }
      await model.release();
    },
  );

  it("has a form for all but those of random numbers, packed numbers and loops", () => {
    const names = new Set(all.flatMap(({ made }) => opsOf(made.program)));
    expect([...names].filter((name) => !Object.hasOwn(ONNX_FORMS, name)).sort()).toEqual(REFUSED);
    expect(Object.keys(ONNX_FORMS).filter((name) => !names.has(name))).toEqual([]);
  });

  it.each(refused.map(({ operation, made }) => [operation.name, made.program] as const))(
    "refuses: %s",
    (_name, program) => {
      expect(() => exportOf(program)).toThrow(/^ONNX export.*: found .*, allowed /);
    },
  );
});
