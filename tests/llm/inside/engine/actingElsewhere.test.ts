/** Agents that act on onnxruntime and learn on wasm, against agents that do both on wasm. */
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Device, WasmDevice } from "../../../../src/kernels/index.ts";
import { OnnxDevice } from "../../../../src/kernels/onnx/OnnxDevice.ts";
import { LLM_ALGORITHMS } from "../../../../src/llm/algorithms/registry.ts";
import { drawOf, generate } from "../../../../src/llm/engine/generate.ts";
import { SamplingSettings } from "../../../../src/llm/sampling/SamplingSettings.ts";
import { specOf } from "../../support/specs.ts";
import { POSITIONS, someExperiences, type TinyAgent, tinyAgent } from "../support/agents.ts";
import { fits, games } from "../support/games.ts";

const algorithm = LLM_ALGORITHMS.GRPO;
const spec = specOf("GRPO", { batch_size: 2, group_size: 3, micro_batch_size_per_gpu: 4, lr: 0.001 });
const settings = SamplingSettings.parse({ temperature: 0.9, stop_tokens: [6] });
const prompts = [[1, 2, 3], [4], [0, 0, 1, 2], [3, 1]];

/** Logits after prompts of different lengths, and after tokens that follow some of them. */
async function logitsOf({ core }: TinyAgent): Promise<number[]> {
  const decoding = await core.decoding(prompts.length, POSITIONS);
  const first = await decoding.extend(prompts);
  const next = await decoding.extend([[2], [], [0], [4, 4]]);
  return [...first, ...next].flatMap((values) => [...values]);
}

async function completionsOf({ core }: TinyAgent, iteration: number): Promise<number[][]> {
  const written = await generate(await core.decoding(prompts.length, POSITIONS), prompts, {
    settings,
    most: [8, 12, 3, 20],
    draw: drawOf(7, 1, iteration),
  });
  return written.map(({ ids }) => [...ids]);
}

let onnx: Device;
beforeAll(async () => {
  onnx = await OnnxDevice.open({ provider: "cpu" });
});
afterAll(() => onnx.close());

it("gives the logits and draws of wasm, also of what was learned in between", async () => {
  const apart = tinyAgent({ algorithm, device: new WasmDevice(), acts: "onnxruntime" });
  const together = tinyAgent({ algorithm, device: new WasmDevice() });
  let before: number[] = [];
  for (let updates = 0; updates < 3; updates++) {
    const [found, expected] = [await logitsOf(apart), await logitsOf(together)];
    expected.forEach((value, i) => expect(found[i], `logit ${i}`).toBeCloseTo(value, 4));
    expect(found).not.toEqual(before);
    before = found;
    expect(await completionsOf(apart, updates)).toEqual(await completionsOf(together, updates));
    for (const { core } of [apart, together])
      await core.learnRollouts(someExperiences(), spec, { seed: 1, slot: 0, updates });
  }
  apart.close();
  together.close();
});

it("gives rows that share prompts, wait and return the logits of wasm", async () => {
  const apart = tinyAgent({ algorithm, device: new WasmDevice(), acts: "onnxruntime" });
  const together = tinyAgent({ algorithm, device: new WasmDevice() });
  await fc.assert(
    fc.asyncProperty(games, async ({ prompts, rounds }) => {
      const all = [prompts, ...rounds];
      fc.pre(fits(all));
      const [found, expected] = [
        await apart.core.decoding(prompts.length, POSITIONS),
        await together.core.decoding(prompts.length, POSITIONS),
      ];
      for (const round of all) {
        const [there, here] = [await found.extend(round), await expected.extend(round)];
        for (const [row, logits] of here.entries()) {
          expect(there[row]?.length).toBe(logits.length);
          logits.forEach((value, i) => expect(there[row]?.[i]).toBeCloseTo(value, 4));
          expect(found.length(row)).toBe(expected.length(row));
        }
      }
    }),
    { numRuns: 30 },
  );
  apart.close();
  together.close();
});

it("follows a member that is written", async () => {
  const agent = tinyAgent({ algorithm, device: new WasmDevice(), acts: "onnxruntime" });
  const first = await logitsOf(agent);
  const { policy } = agent.core;
  const actor = await policy.read(policy.names("actor"));
  policy.write([...actor].map(([name, values]) => [name, values.map((x) => 1.1 * x)]));
  expect(await logitsOf(agent)).not.toEqual(first);
  policy.write(actor);
  expect(await logitsOf(agent)).toEqual(first);
  agent.close();
});

it("learns on the same provider too, as wasm does", async () => {
  const [there, here] = [onnx, new WasmDevice()].map((device) => tinyAgent({ algorithm, device }));
  const results = [];
  for (const { core } of [there, here] as [TinyAgent, TinyAgent]) {
    const { metrics } = await core.learnRollouts(someExperiences(), spec, { seed: 1, slot: 0, updates: 0 });
    results.push({ metrics, weights: await core.policy.read(core.policy.names("actor")) });
  }
  const [found, expected] = results as [(typeof results)[0], (typeof results)[0]];
  for (const [name, value] of Object.entries(expected.metrics))
    expect(found.metrics[name], `${name}`).toBeCloseTo(value, 4);
  for (const [name, values] of expected.weights)
    values.forEach((value, i) => expect(found.weights.get(name)?.[i], `${name}[${i}]`).toBeCloseTo(value, 4));
  there?.close();
  here?.close();
});
