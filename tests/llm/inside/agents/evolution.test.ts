/** Evolution strategies of language models against a restatement in f64, and their laws. */
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { WasmDevice } from "../../../../src/kernels/index.ts";
import { OnnxDevice } from "../../../../src/kernels/onnx/OnnxDevice.ts";
import { tuningOfAdapter } from "../../../../src/llm/adapters/peftFiles.ts";
import { AgentCore } from "../../../../src/llm/agents/AgentCore.ts";
import { copyReturns } from "../../../../src/llm/agents/copyReturns.ts";
import { type Noise, NoiseSource } from "../../../../src/llm/agents/noise.ts";
import { initialState, type PolicyState } from "../../../../src/llm/agents/PolicyState.ts";
import { RolloutRunner } from "../../../../src/llm/agents/RolloutRunner.ts";
import { scheduledSpec } from "../../../../src/llm/agents/schedules.ts";
import { LLMES as ALGORITHM } from "../../../../src/llm/algorithms/LLMES.ts";
import { ModelOnDevice } from "../../../../src/llm/engine/ModelOnDevice.ts";
import { LanguageModel, LLMES, RolloutHarness } from "../../../../src/llm/index.ts";
import { writeConfig } from "../../../../src/llm/models/modelFiles.ts";
import { builtInModel } from "../../../../src/llm/models.ts";
import { type PlainTensor, plainGreedy, plainLogits } from "../../support/plainModel.ts";
import { specOf } from "../../support/specs.ts";

const { config, weights } = builtInModel("rlkit/tiny-digits");
const WEIGHTS = weights();
const digits = await LanguageModel.load("rlkit/tiny-digits");
afterAll(() => digits.close());

const LORA = { lora_r: 2, lora_alpha: 4, target_modules: "all-linear" };
const place = { seed: 5, slot: 3, updates: 2 };

/** An agent's core on the built-in model, with its center; an adapter's B is not 0. */
function coreOf(lora: typeof LORA | null, device = new WasmDevice() as WasmDevice | OnnxDevice) {
  const tuning = lora === null ? ({ kind: "whole" } as const) : tuningOfAdapter(config, lora);
  const model = ModelOnDevice.open(config, lora === null ? null : WEIGHTS, device, { positions: 32 });
  const shape = { tuning, reference: false, critic: false };
  const core = new AgentCore(model, shape, ALGORITHM);
  const parts = { ...digits.parts, weights: WEIGHTS };
  const begun = Object.entries(initialState({ parts, lora, shape, seed: 1 }));
  const policy: PolicyState = Object.fromEntries(
    begun.map(([name, values]) => [name, values.map((x, i) => x + 0.01 * Math.sin(i))]),
  );
  core.policy.write(Object.entries(policy));
  return { core, policy };
}

const bitsOf = async ({ core: { policy } }: ReturnType<typeof coreOf>) =>
  [...(await policy.read(policy.names("actor"))).values()].map((values) => Array.from(values));

/** The matrix or vector of noise, in f64. */
function dense(noise: Noise): Float64Array {
  if ("full" in noise) return Float64Array.from(noise.full);
  const [first] = noise.factors;
  const [rows, columns] = [first?.left.length ?? 0, first?.right.length ?? 0];
  return Float64Array.from({ length: rows * columns }, (_, i) => {
    const [row, column] = [Math.floor(i / columns), i % columns];
    const terms = noise.factors.map(({ left, right }) => (left[row] ?? 0) * (right[column] ?? 0));
    return terms.reduce((a, b) => a + b, 0) / Math.sqrt(noise.factors.length);
  });
}

/** Utilities of returns, as the page of the algorithm has them. */
function plainUtilities(shaping: string, returns: readonly number[]): number[] {
  const n = returns.length;
  if (shaping === "centered_ranks")
    return returns.map((own) => {
      const below = returns.filter((other) => other < own).length;
      const alike = returns.filter((other) => other === own).length - 1;
      return (below + alike / 2) / (n - 1) - 0.5;
    });
  const average = returns.reduce((a, b) => a + b, 0) / n;
  const deviation = Math.sqrt(returns.reduce((sum, own) => sum + (own - average) ** 2, 0) / n);
  return returns.map((own) => (own - average) / deviation);
}

const ENVIRONMENT = () => RolloutHarness.local("rlkit/ConditionalTarget", { tokenizer: digits.tokenizer });

describe.each([
  ["an adapter", { lora_config: LORA, batch_size: 4 }, "adam"],
  ["all weights, noise of rank 2", { rank: 2, batch_size: 5 }, "adam"],
  ["all weights, noise of full rank", { rank: null, batch_size: 5, fitness_shaping: "standardized" }, "sgd"],
] as const)("an iteration of %s", (_name, own, optimizer) => {
  it("is what its equations say, in f64", async () => {
    const [sigma, lr, weight_decay, perturbations, size] = [0.3, 0.01, 0.1, 16, own.batch_size];
    const agent = new LLMES({
      actor_network: digits,
      ...{ perturbations, sigma, lr, weight_decay, optimizer, max_output_tokens: 1 },
      ...own,
    });
    const spec = agent.spec as ReturnType<typeof specOf<"LLMES">>;
    const runner = new RolloutRunner({
      ...{ agent: agent.onDevice, makeHarness: ENVIRONMENT },
      ...{ max_turns: 1, eval_loop: 1, max_reward: 1, io_timeout_s: null },
    });
    const { policy } = agent.member;
    const result = await runner.iteration(agent.member, { seed: 5, slot: 3 });
    const played = result.completions();

    const { policy: onDevice } = agent.onDevice.core;
    const shapes = onDevice.shapes();
    const isAdapter = "lora_config" in own;
    const source = new NoiseSource();
    const owned = onDevice.names("actor").map((name, index) => {
      const weight = { name, shape: shapes.get(name) ?? [] };
      const noise = Array.from({ length: perturbations / 2 }, (_, direction) =>
        dense(
          source.draw(
            weight,
            index,
            { seed: 5, slot: 3, updates: 0, direction },
            isAdapter ? null : spec.rank,
          ),
        ),
      );
      return { ...weight, noise, before: policy[name] ?? new Float32Array() };
    });
    const base = new Map(
      onDevice.model.weights.map(({ name, shape }): [string, PlainTensor] => [
        name,
        { shape, data: Float64Array.from(WEIGHTS.get(name) ?? []) },
      ]),
    );
    const returns = Array.from({ length: perturbations }, (_, copy) => {
      const factor = copy % 2 === 0 ? sigma : -sigma;
      const tensors = new Map(
        owned.map(({ name, shape, before, noise }): [string, PlainTensor] => [
          name.slice("actor.".length),
          { shape, data: Float64Array.from(before, (x, i) => x + factor * (noise[copy >> 1]?.[i] ?? 0)) },
        ]),
      );
      const rewards = Array.from({ length: size }, (_, prompt) => {
        const logged = played[copy * size + prompt];
        const next = (ids: readonly number[]) =>
          isAdapter
            ? plainLogits(writeConfig(config), base, ids, { tensors, scale: 2 })
            : plainLogits(writeConfig(config), tensors, ids);
        const asked = Number(logged?.prompt);
        const answer = plainGreedy(next, [...digits.tokenizer.encode(String(asked))], 1);
        expect(logged).toMatchObject({ group: prompt, sample: copy });
        return digits.tokenizer.decode(answer) === String((asked % 3) + 1) ? 1 : -1;
      });
      expect(rewards).toEqual(played.slice(copy * size, (copy + 1) * size).map(({ reward }) => reward));
      return rewards.reduce((a, b) => a + b, 0) / size;
    });
    expect(new Set(returns).size).toBeGreaterThan(1);

    const utilities = plainUtilities(spec.fitness_shaping, returns);
    let farthest = 0;
    for (const { name, noise, before } of owned)
      for (const [i, x] of before.entries()) {
        const sum = noise.reduce(
          (all, e, d) => all + ((utilities[2 * d] ?? 0) - (utilities[2 * d + 1] ?? 0)) * (e[i] ?? 0),
          0,
        );
        const gradient = -sum / (perturbations * sigma);
        // The first step of Adam is the sign, apart from its epsilon.
        const step = optimizer === "sgd" ? gradient : gradient / (Math.abs(gradient) + 1e-8);
        const expected = x * (1 - lr * weight_decay) - lr * step;
        farthest = Math.max(farthest, Math.abs((result.member.policy[name]?.[i] ?? Number.NaN) - expected));
      }
    expect(farthest).toBeLessThan(1e-5);
    expect(result.metrics).toMatchObject({ left_out: 0, completion_length: 1 });
    expect(result.metrics.return_worst).toBeCloseTo(Math.min(...returns), 6);
    expect(result.metrics.return_best).toBeCloseTo(Math.max(...returns), 6);
    source.release();
    agent.close();
  });
});

describe("noise", () => {
  const weight = { name: "w", shape: [40, 60] };
  const source = new NoiseSource();
  afterAll(() => source.release());

  it.each([null, 1, 3])("has mean 0 and variance 1 on each weight, with rank %s", (rank) => {
    let [sum, squares, count] = [0, 0, 0];
    for (let direction = 0; direction < 200; direction++)
      for (const x of dense(source.draw(weight, 0, { ...place, direction }, rank))) {
        sum += x;
        squares += x * x;
        count += 1;
      }
    // Elements of a product of vectors vary together, so that rows and columns count.
    expect(Math.abs(sum / count)).toBeLessThan(0.02);
    expect(squares / count).toBeCloseTo(1, 1);
  });

  it("is the same again, and differs with every part of its place", () => {
    const drawn = (own: object, index = 0) =>
      Array.from(dense(source.draw(weight, index, { ...place, direction: 1, ...own }, 1))).join();
    const all = [{}, { seed: 6 }, { slot: 4 }, { updates: 3 }, { direction: 2 }].map((own) => drawn(own));
    expect(new Set([...all, drawn({}, 1)]).size).toBe(6);
    expect(drawn({})).toBe(all[0]);
  });

  it("is of full rank where a rank would not save anything, and on vectors", () => {
    for (const shape of [[3, 60], [60]])
      expect(source.draw({ name: "w", shape }, 0, { ...place, direction: 0 }, 3)).toHaveProperty("full");
  });
});

const FIELDS = specOf("LLMES", { perturbations: 6, batch_size: 2, sigma: 0.1, lr: 0.1, optimizer: "sgd" });

describe.each([
  ["an adapter", LORA],
  ["all weights", null],
])("learning of %s", (_name, lora) => {
  const agent = coreOf(lora);
  const center = { policy: agent.policy, place };
  const learned = async (returns: readonly number[], own: object = {}) => {
    const { metrics } = await agent.core.evolution.learn(returns, center, { ...FIELDS, ...own });
    return { metrics, actor: await bitsOf(agent) };
  };
  const returnsOf6 = fc.array(fc.integer({ min: -8, max: 8 }), { minLength: 6, maxLength: 6 });
  const before = Object.values(agent.policy).map((values) => Array.from(values));

  it("steps back where the copies of each pair change places, and ignores what is added to all", async () => {
    await fc.assert(
      fc.asyncProperty(
        returnsOf6,
        fc.constantFrom("centered_ranks", "standardized"),
        async (returns, shaping) => {
          const own = { fitness_shaping: shaping };
          const first = await learned(returns, own);
          const swapped = await learned(
            returns.map((_, i) => returns[i ^ 1] ?? 0),
            own,
          );
          const shifted = await learned(
            returns.map((x) => x + 16),
            own,
          );
          const steps = ({ actor }: typeof shifted) =>
            actor.flatMap((values, w) => values.map((x, i) => x - (before[w]?.[i] ?? 0)));
          const [forth, back, same] = [first, swapped, shifted].map(steps) as [number[], number[], number[]];
          expect(Math.max(...forth.map((x, i) => Math.abs(x + (back[i] ?? Number.NaN))))).toBeLessThan(1e-5);
          expect(Math.max(...forth.map((x, i) => Math.abs(x - (same[i] ?? Number.NaN))))).toBeLessThan(1e-5);
        },
      ),
      { numRuns: 6 },
    );
  });

  it("leaves weights and moments as they are where all copies return the same", async () => {
    const { metrics, actor } = await learned([2, 2, 2, 2, 2, 2], { optimizer: "adam", weight_decay: 0.1 });
    expect(actor).toEqual(before);
    expect(metrics).toMatchObject({ gradient_norm: 0, noise_share: 1, return_std: 0, left_out: 0 });
  });

  it("leaves out pairs without returns, and throws if there is no other", async () => {
    const some = await learned([1, 2, Number.NaN, 5, 4, 3]);
    expect(some.metrics).toMatchObject({ left_out: 2, return_best: 4, return_mean: 2.5 });
    // As if the pair had never been drawn, whose direction is the second.
    expect((await learned([1, 2, 5, Number.NaN, 4, 3])).actor).toEqual(some.actor);
    expect(some.actor).not.toEqual(before);
    await expect(learned([Number.NaN, 1, 2, Infinity, Number.NaN, Number.NaN])).rejects.toThrow(
      "member 3: none of 3 pairs has returns that are finite numbers, so nothing can be learned",
    );
  });
});

it("compares copies whose rewards differ in number by the prompts that they have in common", () => {
  const none = Number.NaN;
  // The second prompt is hard. The third has no reward at all.
  const returns = [
    [1, 0, none],
    [0, none, none],
    [none, none, none],
    [1, 0.5, none],
  ];
  expect(copyReturns(returns, true)).toEqual([0.5, 0.125, none, 0.75]);
  expect(copyReturns(returns, false)).toEqual([0.5, 0, none, 0.75]);
  expect(copyReturns([[1, 2]], true)).toEqual([1.5]);
});

describe("copies of an adapter side by side", () => {
  const PROMPTS = [[1, 2, 3], [1, 2, 3], [4], [0, 0, 1, 2]];
  const NEXT = [[2], [], [0, 3], [4]];

  it("have the logits that each has alone, with prompts in common and rows that wait", async () => {
    const agent = coreOf(LORA);
    const { core, policy } = agent;
    const center = { policy, place };
    const fields = { ...FIELDS, batch_size: 4 };
    const extended = async (rows: number, copies: Parameters<typeof core.decoding>[2] = null) => {
      const decoding = await core.decoding(rows, 32, copies);
      const each = (some: readonly number[][]) => Array.from({ length: rows }, (_, i) => some[i % 4] ?? []);
      const first = await decoding.extend(each(PROMPTS));
      // Results are views, which the next pass fills.
      const kept = first.map((logits) => Array.from(logits));
      return [kept, (await decoding.extend(each(NEXT))).map((logits) => Array.from(logits))];
    };
    for (const count of [3, 2]) {
      const [first, next] = await extended(4 * count, core.evolution.perturbed(1, count, center, fields));
      for (let copy = 0; copy < count; copy++) {
        core.evolution.perturb(1 + copy, center, fields);
        const alone = await extended(4);
        for (const [i, together] of [first, next].entries())
          for (const [row, logits] of (alone[i] ?? []).entries())
            for (const [v, logit] of logits.entries())
              expect(together?.[4 * copy + row]?.[v], `copy ${copy}, row ${row}`).toBeCloseTo(logit, 5);
      }
    }
    expect(core.copiesTogether({ perturbations: 6, batch_size: 4 })).toBe(4);
    expect(coreOf(null).core.copiesTogether({ perturbations: 6, batch_size: 4 })).toBe(1);
  });
});

it("steps on ONNX Runtime as on wasm", async () => {
  const device = await OnnxDevice.open({ provider: "cpu" });
  const returns = [1, 2, 0, 5, 4, 3];
  const ends = [];
  for (const agent of [coreOf(LORA), coreOf(LORA, device)]) {
    await agent.core.evolution.learn(
      returns,
      { policy: agent.policy, place },
      { ...FIELDS, optimizer: "adam" },
    );
    ends.push((await bitsOf(agent)).flat());
  }
  const [wasm = [], onnx = []] = ends;
  expect(Math.max(...wasm.map((x, i) => Math.abs(x - (onnx[i] ?? Number.NaN))))).toBeLessThan(1e-4);
  device.close();
});

it("has schedules of sigma and the rate over the run", () => {
  const spec = specOf("LLMES", {
    sigma: 0.1,
    lr: 1,
    sigma_schedule: "linear",
    sigma_final: 0.5,
    lr_schedule: "cosine",
  });
  const at = (done: number) => scheduledSpec(spec, done);
  for (const [done, sigma] of [
    [0, 0.1],
    [0.5, 0.075],
    [1, 0.05],
    [2, 0.05],
  ] as const)
    expect(at(done).sigma).toBeCloseTo(sigma, 12);
  expect(at(0.25).lr).toBeCloseTo((1 + Math.SQRT1_2) / 2, 12);
  expect(scheduledSpec(specOf("LLMES"), 0.5)).toEqual(specOf("LLMES"));
});
