/** Every operation, forward and backward, on a device against the reference evaluator. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Device, Program } from "../../../src/kernels/index.ts";
import { comparedShaders } from "../support/comparedShaders.ts";
import type { TestDevice } from "../support/devices.ts";
import { functionCases } from "../support/functionCases.ts";
import type { Dims, OperationCase } from "../support/operationCases.ts";
import { operationCases, otherPairs } from "../support/operationCases.ts";
import {
  type OperationProgram,
  operationProgram,
  operationValues,
  type Sizes,
  symbolic,
} from "../support/operationProgram.ts";
import { type Buffers, runOnDevice, runOnReference } from "../support/run.ts";

/** One each, multiples of 4, odd ones, and each dimension long in turn. */
const SIZES: readonly Sizes[] = [
  { a: 1, b: 1, c: 1 },
  { a: 4, b: 8, c: 12 },
  { a: 9, b: 5, c: 3 },
  { a: 259, b: 3, c: 2 },
  { a: 3, b: 259, c: 2 },
  { a: 2, b: 3, c: 259 },
];

const small = fc.integer({ min: 1, max: 19 });
const sizes: fc.Arbitrary<Sizes> = fc.record({ a: small, b: small, c: small });

/** Values may differ not at all, or by 1e-4 of the value or of the buffer's magnitude, and the rounding of terms that cancel. */
function expectAlike(
  found: readonly number[],
  expected: readonly number[],
  exact: boolean,
  what: string,
): void {
  const rms = Math.sqrt(expected.reduce((s, v) => s + v * v, 0) / Math.max(1, expected.length));
  const alike = (v: number, f: number) =>
    v === f ||
    (Number.isNaN(v) && Number.isNaN(f)) ||
    (!exact && Math.abs(f - v) <= 1e-4 * Math.max(Math.abs(v), rms) + 2e-6);
  const i = expected.findIndex((v, at) => !alike(v, found[at] ?? Number.NaN));
  expect(found[i], `${what}[${i}], the first of ${expected.length} that differs`).toBe(expected[i]);
}

interface Reference {
  readonly initial: Buffers;
  readonly expected: Buffers;
}

/** The values of an operation's cases, which are the same for all devices: each is evaluated once. */
class References {
  readonly #operation: OperationCase;
  readonly #known = new Map<string, Reference>();
  /** The program for all sizes. */
  readonly symbolic: OperationProgram;

  constructor(operation: OperationCase) {
    this.#operation = operation;
    this.symbolic = operationProgram(operation, symbolic, true);
  }

  of(made: OperationProgram, dims: Dims, binding: Record<string, number>, seed: number): Reference {
    const key = JSON.stringify([dims === symbolic ? "symbolic" : dims, binding, seed]);
    const known = this.#known.get(key);
    if (known) return known;
    const initial = operationValues(this.#operation, made, dims, binding, seed);
    const reference = { initial, expected: runOnReference(made.program, binding, initial) };
    this.#known.set(key, reference);
    return reference;
  }
}

export function operationSuite(devices: readonly TestDevice[]): void {
  const cases = [...operationCases, ...functionCases];

  describe("operations", () => {
    const assertOnce = comparedShaders(import.meta.url);
    const opened = new Map<TestDevice, Device>();
    beforeAll(async () => {
      for (const device of devices) opened.set(device, await device.create());
    });
    afterAll(() => {
      for (const device of opened.values()) device.close();
    });

    describe.each(cases.map((operation, place) => [operation.name, operation, place] as const))(
      "%s",
      (name, operation, place) => {
        let references: References | null = null;
        afterAll(() => {
          references = null;
        });

        it.each(
          devices
            .filter(({ share }) => share === 1 || !otherPairs.has(operation))
            .map((device) => [device.name, device] as const),
        )("on %s", async (_device, testDevice) => {
          const { share } = testDevice;
          const device = opened.get(testDevice) as Device;
          references ??= new References(operation);
          const values = references;

          const compare = async (
            made: OperationProgram,
            dims: Dims,
            binding: Record<string, number>,
            seed: number,
          ) => {
            const { initial, expected } = values.of(made, dims, binding, seed);
            const found = await runOnDevice(device, made.program, binding, initial);
            for (const [buffer, expectedValues] of Object.entries(expected)) {
              if (buffer === "loss") continue;
              const isFloat = made.program.states.get(buffer)?.dtype === "f32";
              const exact = !isFloat || (operation.exact && !buffer.startsWith("grad."));
              expectAlike(found[buffer] ?? [], expectedValues, exact, `${JSON.stringify(binding)} ${buffer}`);
            }
          };

          const everyCase = async (visit: typeof compare): Promise<void> => {
            for (const binding of SIZES) await visit(values.symbolic, symbolic, { ...binding }, 7);
            await fc.assert(
              fc.asyncProperty(sizes, fc.nat(1000), async (binding, seed) => {
                await visit(values.symbolic, symbolic, { ...binding }, seed);
              }),
              { numRuns: Math.ceil(4 * share), seed: 1 + place },
            );
            // Literal dimensions take other paths: 1 is dropped from loops, constants are in the code. Each is one more
            // compile, so a device that is slow at that has them for some operations only.
            if (share < 1 && place % 3 !== 0) return;
            await fc.assert(
              fc.asyncProperty(sizes, fc.integer({ min: 0, max: 7 }), async (literal, ones) => {
                const pick = (bit: number, size: number) => (ones & bit ? 1 : size);
                const dims = { a: pick(1, literal.a), b: pick(2, literal.b), c: pick(4, literal.c) };
                await visit(operationProgram(operation, dims, true), dims, {}, literal.a);
              }),
              // Others for each operation where a device has only one of them, so that all kinds of sizes come up.
              { numRuns: Math.ceil(3 * share), seed: 2 + place },
            );
          };

          if (share === 1) return everyCase(compare);
          const programs = new Set<Program>();
          await everyCase(async ({ program }) => void programs.add(program));
          await assertOnce(name, programs, () => everyCase(compare));
        });
      },
    );
  });
}
