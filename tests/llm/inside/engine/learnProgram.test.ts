/** Gradients of an adapter when logits are computed in parts and layers run again: those of the whole graph. */
import { afterAll, describe, expect, it } from "vitest";
import { evalDim, type Program, sizeOf, WasmDevice } from "../../../../src/kernels/index.ts";
import { tuningOfAdapter } from "../../../../src/llm/adapters/peftFiles.ts";
import type { GradientAlgorithm } from "../../../../src/llm/algorithms/contract.ts";
import { LLM_ALGORITHMS } from "../../../../src/llm/algorithms/registry.ts";
import type { LlmSpec } from "../../../../src/llm/algorithms.ts";
import { fittingSamples, shouldRecompute } from "../../../../src/llm/engine/backward.ts";
import { learnProgram } from "../../../../src/llm/engine/learnProgram.ts";
import { COLUMNS, PARTS, POSITIONS, SAMPLES, TURNS } from "../../../../src/llm/engine/names.ts";
import { exceedsPart, inParts, partsOf } from "../../../../src/llm/engine/sequences.ts";
import { weightsOf } from "../../../../src/llm/models/ModelConfig.ts";
import { parseConfig } from "../../../../src/llm/models/parseConfig.ts";
import { packedWeights } from "../../../../src/llm/models/WeightSource.ts";
import { numbers } from "../../../kernels/support/numbers.ts";
import { GPT2, LLAMA, PHI } from "../../support/configs.ts";
import { specOf } from "../../support/specs.ts";

const CASES: readonly (readonly [name: string, algorithm: GradientAlgorithm<LlmSpec>, spec: LlmSpec])[] = [
  ["SFT", LLM_ALGORITHMS.SFT, specOf("SFT")],
  ["DPO", LLM_ALGORITHMS.DPO, specOf("DPO", { nll_alpha: 0.5 })],
  ["GRPO", LLM_ALGORITHMS.GRPO, specOf("GRPO", { beta: 0.1 })],
  ["LLMPPO", LLM_ALGORITHMS.LLMPPO, specOf("LLMPPO", { beta: 0.1 })],
];
const LORA = { lora_r: 3, lora_alpha: 6, target_modules: "all-linear" };
// 2 samples of 7 tokens, of which 4 are in a part: the last part is not full.
const BINDING = { [SAMPLES]: 2, [COLUMNS]: 7, [TURNS]: 2, [POSITIONS]: 16 };
const partsFor = (rows: number) => ({ [PARTS.tokens]: 4, [PARTS.count]: Math.ceil((7 * rows) / 4) });

/** Random contents of a state: ids below 11 of the integers, 1 of masks and temperatures. */
function contents(name: string, length: number, isInteger: boolean): ArrayLike<number> {
  const next = numbers(
    Array.from(name, (_, i) => name.charCodeAt(i)).reduce((a, b) => (31 * a + b) % 99_991),
  );
  if (/mask|temperature|row_weight/.test(name)) return new Float32Array(length).fill(1);
  if (name.includes("positions")) return Int32Array.from({ length }, (_, i) => i % 7);
  if (isInteger) return Int32Array.from({ length }, () => Math.floor(11 * next()));
  return Float32Array.from({ length }, () => next() - 0.5);
}

describe.each(CASES)("%s", (_name, algorithm, spec) => {
  const device = new WasmDevice();
  afterAll(() => device.close());

  it.each([
    ["llama", LLAMA],
    ["llama in q8", LLAMA],
    ["phi", PHI],
    ["gpt2", GPT2],
  ])("%s", (name, given) => {
    const config = parseConfig(given);
    const weights = name.endsWith("q8") ? packedWeights(weightsOf(config), "q8") : weightsOf(config);
    const tuning = tuningOfAdapter(config, LORA);
    const results = (parts: boolean, recompute: boolean): ReadonlyMap<string, Float32Array> => {
      const program: Program = learnProgram({
        config,
        weights,
        algorithm,
        spec,
        tuning,
        result: "gradients",
        parts,
        recompute,
      });
      const binding = { ...BINDING, ...partsFor(algorithm === LLM_ALGORITHMS.DPO ? 4 : 2) };
      const arena = device.arena(program.states.values(), binding);
      const outputs: string[] = [];
      for (const { name, shape, dtype } of program.states.values()) {
        if (name.startsWith("out.")) outputs.push(name);
        else arena.write(name, contents(name, evalDim(sizeOf(shape), binding), dtype !== "f32"));
      }
      device.compile(program).bind(arena).run();
      const found = new Map(outputs.map((name) => [name, arena.read(name) as Float32Array]));
      arena.release();
      return found;
    };
    const whole = results(false, false);
    expect([...whole.keys()].filter((name) => name.includes("lora_A")).length).toBeGreaterThan(3);
    for (const [parts, recompute] of [
      [true, false],
      [false, true],
      [true, true],
    ] as const) {
      const found = results(parts, recompute);
      expect([...found.keys()].sort()).toEqual([...whole.keys()].sort());
      for (const [name, values] of whole) {
        const size = Math.max(...values.map(Math.abs), 1e-6);
        const error = Math.max(...values.map((value, i) => Math.abs(value - (found.get(name)?.[i] ?? 9))));
        expect(error / size, `${name}, parts ${parts}, recompute ${recompute}`).toBeLessThan(1e-5);
      }
    }
  });
});

const LARGE = {
  ...parseConfig(LLAMA),
  vocab_size: 49_152,
  hidden_size: 576,
  intermediate_size: 1536,
  num_layers: 30,
  num_heads: 9,
};

it("keeps no more than 64 MB of logits", () => {
  for (const tokens of [1, 170, 171, 2044]) {
    const { [PARTS.count]: count = 0, [PARTS.tokens]: size = 0 } = partsOf(LARGE, tokens);
    expect(4 * size * LARGE.vocab_size).toBeLessThanOrEqual(64e6);
    expect(count * size).toBeGreaterThanOrEqual(tokens);
    expect((count - 1) * size).toBeLessThan(tokens);
  }
});

it("learns without parts while all logits fit into 64 MB", () => {
  expect([exceedsPart(LARGE, 255), exceedsPart(LARGE, 341), exceedsPart(LARGE, 342)]).toEqual([
    false,
    false,
    true,
  ]);
});

it("has parts for large vocabularies on wasm only, whose programs may have loops", () => {
  expect([inParts(LARGE, "wasm"), inParts(LARGE, "onnx")]).toEqual([true, false]);
  expect(inParts(parseConfig(LLAMA), "wasm")).toBe(false);
});

it("recomputes layers of large batches only", () => {
  expect([shouldRecompute(LARGE, 1, 255), shouldRecompute(LARGE, 4, 511)]).toEqual([false, true]);
});

it("divides a batch that would not fit into memory evenly", () => {
  const samples = (count: number, columns: number, rows = 1) =>
    fittingSamples(LARGE, count, { rows, columns });
  expect(samples(16, 32)).toBe(16);
  expect(samples(16, 512)).toBe(8);
  expect(samples(9, 512)).toBe(9);
  expect(samples(16, 512, 2)).toBe(6);
  expect(samples(3, 1e6)).toBe(1);
});
