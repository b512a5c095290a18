/** Agents of language models as callers use them. */
import { describe, expect, it, vi } from "vitest";
import {
  HyperparameterConfig,
  Mutations,
  RLParameter,
  TournamentSelection,
} from "../../../src/evolution/index.ts";
import { DivergedError } from "../../../src/evolution/members.ts";
import {
  DatasetEnv,
  GRPO,
  LanguageModel,
  LLMAlgorithm,
  LoraAdapter,
  RolloutHarness,
  type Rubric,
  SFT,
} from "../../../src/llm/index.ts";
import { parseAlgorithm } from "../../../src/manifests/index.ts";
import { memoryFileStore } from "../../../src/storage/index.ts";
import { drawnWeights, FAMILIES, writeModel } from "../inside/support/smallModels.ts";
import {
  AGENTS,
  ALL_NAMES,
  batchFor,
  digits,
  learnOnce,
  PROMPTS,
  played,
  ROLLOUT_NAMES,
  TUNINGS,
} from "../support/languageAgents.ts";
import type { SpecOf } from "../support/specs.ts";

describe.each(ALL_NAMES)("%s", (name) => {
  it("has the spec's defaults, and its own name", async () => {
    const actor_network = await digits();
    const agent = AGENTS[name](actor_network);
    const { batch_size, update_epochs, ...rest } = agent.spec as SpecOf<typeof name>;
    expect([batch_size, update_epochs]).toEqual([2, 2]);
    const given = ["lr", "lr_actor", "lr_critic", "group_size", "max_output_tokens", "beta"];
    const defaults = parseAlgorithm(name);
    const others = Object.entries(rest).filter(
      ([field, value]) =>
        !given.includes(field) &&
        JSON.stringify(value) !== JSON.stringify(defaults[field as keyof typeof defaults]),
    );
    expect(others).toEqual([]);
    expect([agent.algo, agent.constructor.name, agent instanceof LLMAlgorithm]).toEqual([name, name, true]);
    agent.close();
    actor_network.close();
  });

  describe.each(TUNINGS)("trained %s", (_how, own) => {
    it("learns: the loss of the same batch falls, and nothing of another agent changes", async () => {
      const actor_network = await digits();
      const agent = AGENTS[name](actor_network, own);
      const clone = agent.clone(7);
      const before = structuredClone(clone.member.policy);
      const batch = await batchFor(agent);
      const first = await agent.lossAndGradients(batch as never);
      expect(
        Math.max(...[...first.gradients.values()].map(({ data }) => Math.max(...data.map(Math.abs)))),
      ).toBeGreaterThan(0);
      for (let i = 0; i < 5; i++)
        expect((await agent.learn(batch as never)).loss).toEqual(expect.any(Number));
      expect((await agent.lossAndGradients(batch as never)).loss).toBeLessThan(first.loss);
      expect(clone.member.policy).toEqual(before);
      expect([clone.index, clone.parent, clone.constructor]).toEqual([7, 0, agent.constructor]);
      for (const made of [agent, clone]) made.close();
      actor_network.close();
    });

    it("does the same again from the same seed", async () => {
      const ends = [];
      for (let run = 0; run < 2; run++) {
        const actor_network = await digits();
        const agent = AGENTS[name](actor_network, own);
        await learnOnce(agent);
        ends.push([await learnOnce(agent), agent.member]);
        agent.close();
        actor_network.close();
      }
      expect(ends[1]).toEqual(ends[0]);
    });
  });
});

describe.each(ROLLOUT_NAMES)("acting of %s", (name) => {
  it.each(TUNINGS)("has ratios of 1 when it learns from what it drew, trained %s", async (_how, own) => {
    const actor_network = await digits();
    const agent = AGENTS[name](actor_network, { ...own, temperature: 0.7, top_k: 3 });
    for (let i = 0; i < 3; i++) {
      const { ratio_error } = await agent.learn(await played(agent));
      expect(ratio_error).toBeLessThan(1e-4);
    }
    agent.close();
    actor_network.close();
  });
});

describe("getAction", () => {
  it("gives full ids, which of them it drew, and their log-probabilities", async () => {
    const actor_network = await digits();
    const agent = AGENTS.LLMREINFORCE(actor_network, { lora_config: { lora_r: 2 }, temperature: 0.7 });
    const acted = await agent.getAction(PROMPTS.map((input_ids) => ({ input_ids })));
    for (const [row, ids] of acted.completion_ids.entries()) {
      const prompt = PROMPTS[row] ?? [];
      expect([...ids.subarray(0, prompt.length)]).toEqual(prompt);
      const mask = Array.from(ids.subarray(1), (_, t) => (t >= prompt.length - 1 ? 1 : 0));
      expect([...(acted.action_masks[row] ?? [])]).toEqual(mask);
      // The adapter has no effect yet.
      const { data } = await actor_network.logProbs({ input_ids: [[...ids]], temperature: 0.7 });
      const drawn = acted.sampling_log_probs[row] ?? new Float32Array();
      expect(drawn).toHaveLength(ids.length - prompt.length);
      for (const [i, value] of drawn.entries())
        expect(value).toBeCloseTo(data[prompt.length - 1 + i] ?? Number.NaN, 4);
    }
    agent.close();
    actor_network.close();
  });

  it("draws anew with every call, differently for evaluation, and not beyond max_output_tokens", async () => {
    const actor_network = await digits();
    const agent = AGENTS.GRPO(actor_network, { max_output_tokens: 20, temperature: 1, top_k: 0, top_p: 1 });
    const texts = [];
    for (const training of [true, true, false]) {
      const { completion_ids } = await agent.getAction([[0]], { training });
      texts.push(completion_ids.join());
      expect(completion_ids[0]?.length).toBeLessThanOrEqual(21);
    }
    expect(new Set(texts).size).toBe(3);
    agent.close();
    actor_network.close();
  });

  it("writes what matches a pattern, behind a thought that its tokens are counted of", async () => {
    const actor_network = await digits();
    const agent = AGENTS.GRPO(actor_network, {
      constrain_answer_pattern: "[0-3]4{2}1?",
      // The vocabulary cannot write the end of a thought: its tokens alone are counted.
      thinking_token_budget: 2,
      temperature: 1,
      top_k: 0,
      top_p: 1,
      max_output_tokens: 9,
    });
    const { completion_ids, sampling_log_probs } = await agent.getAction(PROMPTS);
    for (const [row, ids] of completion_ids.entries()) {
      const written = [...ids.subarray(PROMPTS[row]?.length)];
      expect(written.slice(0, 2)).not.toContain(6);
      expect(written.slice(2).join("")).toMatch(/^[0-3]441?6$/);
      expect(sampling_log_probs[row]).toHaveLength(written.length);
    }
    expect(() => AGENTS.GRPO(actor_network, { constrain_answer_pattern: "a(?=b)" })).toThrow(
      'GRPO.constrain_answer_pattern: found "a(?=b)", where "(?=" is a lookaround',
    );
    agent.close();
    actor_network.close();
  });

  it("never draws tokens that are suppressed", async () => {
    const actor_network = await digits();
    const agent = AGENTS.GRPO(actor_network, {
      suppress_tokens: [0, 4, 5, 6],
      temperature: 1,
      top_k: 0,
      top_p: 1,
      max_output_tokens: 40,
    });
    const { completion_ids } = await agent.getAction([[0]]);
    expect(new Set(completion_ids[0]?.subarray(1))).toEqual(new Set([1, 2, 3]));
    agent.close();
    actor_network.close();
  });

  it("ends answers with the first stop string, in training, in evaluation and without an agent", async () => {
    const actor_network = await digits();
    const only = { suppress_tokens: [0, 3, 4, 5, 6], stop_strings: ["12", "22"], top_k: 0, top_p: 1 };
    const agent = AGENTS.GRPO(actor_network, { ...only, temperature: 1, max_output_tokens: 30 });
    const late = AGENTS.GRPO(actor_network, {
      ...only,
      temperature: 1,
      min_output_tokens: 6,
      max_output_tokens: 60,
    });
    const prompts = Array.from({ length: 8 }, () => [1]);
    const written = ({ completion_ids }: { readonly completion_ids: readonly Int32Array[] }) =>
      completion_ids.map((ids) => ids.subarray(1).join(""));
    for (const text of written(await agent.getAction(prompts))) expect(text).toMatch(/^2?1*(12|(?<=2)2)$/);
    for (const text of written(await late.getAction(prompts))) expect(text).toMatch(/^[12]{4,}[12]2$/);
    const seen: string[] = [];
    const env = {
      reset: () => ["1", {}],
      step: (text: string) => [`${seen.push(text)}`, text.length, true, false, {}],
    } as const;
    await agent.test(new RolloutHarness({ env: env as never, tokenizer: actor_network.tokenizer }));
    expect(seen[0]).toMatch(/^2?1*(12|(?<=2)2)$/);
    const { completions } = await actor_network.generate({
      prompts: [[1]],
      suppress_tokens: [0, 2, 3, 4, 5, 6],
      stop_strings: ["2", "111"],
    });
    expect(completions).toEqual([Int32Array.from([1, 1, 1])]);
    late.close();
    agent.close();
    actor_network.close();
  });

  it("answers calls that overlap one after the other", async () => {
    const actor_network = await digits();
    const agent = AGENTS.GRPO(actor_network);
    const other = agent.clone(1);
    await learnOnce(agent);
    const alone = [await agent.clone(0).getAction(PROMPTS), await other.clone(1).getAction(PROMPTS)];
    const [first, second] = [agent.clone(0), other.clone(1)];
    expect(await Promise.all([first.getAction(PROMPTS), second.getAction(PROMPTS)])).toEqual(alone);
    actor_network.close();
  });
});

describe("test", () => {
  it("is the mean reward of turns, and the latest fitness", async () => {
    const actor_network = await digits();
    const agent = AGENTS.GRPO(actor_network, { temperature: 0, max_output_tokens: 1 });
    const env = {
      reset: () => ["0", {}],
      step: (text: string) => ["", text.length, true, false, {}],
    } as const;
    const harness = new RolloutHarness({ env: env as never, tokenizer: actor_network.tokenizer });
    const fitness = await agent.test(harness, { loop: 3 });
    const { completion_ids } = await agent.getAction([actor_network.tokenizer.encode("0")]);
    const written = actor_network.tokenizer.decode(completion_ids[0]?.subarray(1) ?? []);
    expect(fitness).toBe(written.length);
    expect(agent.fitness).toEqual([fitness]);
    agent.close();
    actor_network.close();
  });

  it("takes the held-out rows in turn, also for more episodes than there are rows", async () => {
    const actor_network = await digits();
    const agent = AGENTS.GRPO(actor_network, { max_output_tokens: 1 });
    const asked: unknown[] = [];
    const harness = RolloutHarness.fromDataset(
      Array.from({ length: 5 }, (_, i) => ({ prompt: "0", answer: `train ${i}` })),
      (_completion, answer) => asked.push(answer),
      {
        tokenizer: actor_network.tokenizer,
        test_rows: ["a", "b"].map((answer) => ({ prompt: "0", answer })),
      },
    );
    await agent.test(harness, { loop: 5 });
    expect(asked).toEqual(["a", "b", "a", "b", "a"]);
    expect(harness.dataset_size).toBe(5);
    agent.close();
    actor_network.close();
  });

  it("samples at the training temperature, or at eval_temperature where that is set", async () => {
    const actor_network = await digits();
    const evaluated = async (own: object) => {
      const agent = AGENTS.GRPO(actor_network, {
        temperature: 1,
        top_k: 0,
        top_p: 1,
        max_output_tokens: 8,
        ...own,
      });
      const written: string[] = [];
      const env = {
        reset: () => ["0", {}],
        step: (text: string) => {
          written.push(text);
          return ["", 0, true, false, {}];
        },
      };
      await agent.test(new RolloutHarness({ env: env as never, tokenizer: actor_network.tokenizer }), {
        loop: 6,
      });
      const acted = await agent.getAction(PROMPTS, { training: false });
      agent.close();
      return { written: new Set(written), acted };
    };
    const [warm, cold, greedy] = [
      await evaluated({}),
      await evaluated({ eval_temperature: 0 }),
      await evaluated({ temperature: 0 }),
    ];
    expect(warm.written.size).toBeGreaterThan(1);
    expect(cold).toEqual(greedy);
    actor_network.close();
  });

  it("is less the loss of SFT on rows that are held out", async () => {
    const actor_network = await digits();
    const { tokenizer } = actor_network;
    const agent = AGENTS.SFT(actor_network);
    const rows = [{ prompt: "01", response: "2" }];
    const env = new DatasetEnv({
      train: [{ prompt: "4", response: "4" }],
      test: rows,
      tokenizer,
      objective: "sft",
    });
    const { loss } = await agent.lossAndGradients(env.evalMode(() => env.reset()));
    expect(await agent.test(env)).toBeCloseTo(-loss, 5);
    await expect(agent.test({} as never)).rejects.toThrow(/env: .*DatasetEnv for SFT/);
    await expect(AGENTS.GRPO(actor_network).test(env as never)).rejects.toThrow(
      /env: .*RolloutHarness for GRPO/,
    );
    actor_network.close();
  });
});

describe("evolution", () => {
  it("selects and mutates them: hyperparameters only", async () => {
    const actor_network = await digits();
    const hp_config = new HyperparameterConfig({
      group_size: new RLParameter({ min: 2, max: 8, dtype: "int" }),
    });
    const pop = [0, 1].map((index) => new GRPO({ actor_network, group_size: 4, index, hp_config }));
    for (const [i, agent] of pop.entries()) agent.member = { ...agent.member, fitness: [i] };
    const selection = new TournamentSelection({ tournament_size: 2, elitism: true, population_size: 2 });
    const { elite, population } = selection.select(pop);
    expect(elite.index).toBe(1);
    const mutations = new Mutations({
      no_mutation: 0,
      architecture: 0,
      new_layer_prob: 0,
      parameters: 0,
      activation: 0,
      rl_hp: 1,
    });
    const mutated = mutations.mutation(population);
    expect(
      mutated.some(
        ({ mut, spec }) => mut === "group_size" && (spec as { group_size: number }).group_size !== 4,
      ),
    ).toBe(true);
    expect(mutated.every((agent) => agent instanceof GRPO)).toBe(true);
    actor_network.close();
  });

  it("refuses hyperparameters that there are not, and values that the spec does not allow", async () => {
    const actor_network = await digits();
    const agent = AGENTS.GRPO(actor_network);
    expect(() => agent.setHyperparameter("gamma", 1)).toThrow(/"gamma": unknown to GRPO; allowed: /);
    expect(() => agent.setHyperparameter("group_size", 0.5)).toThrow(/"group_size" of GRPO/);
    agent.setHyperparameter("group_size", 6);
    expect(agent.spec).toMatchObject({ group_size: 6 });
    actor_network.close();
  });
});

describe("making agents", () => {
  it("trains the library's models whole unless there is an adapter, all others by one", async () => {
    const store = memoryFileStore();
    const config = FAMILIES.llama ?? {};
    await writeModel(store, "m", config, drawnWeights(config));
    const [own, other] = [await digits(), await LanguageModel.load("m", { store })];
    expect(new SFT({ actor_network: own }).lora_config).toBeNull();
    expect(new SFT({ actor_network: own, lora_config: {} }).lora_config).toMatchObject({ lora_r: 16 });
    expect(new SFT({ actor_network: other }).lora_config).toMatchObject({ lora_r: 16, lora_alpha: 32 });
    // Its effect is multiplied by alpha / sqrt(r), which is 8.
    const stable = new SFT({ actor_network: other, lora_config: { lora_r: 16, use_rslora: true } });
    expect(stable.lora_config).toEqual({ lora_r: 16, lora_alpha: 128, target_modules: "all-linear" });
    for (const model of [own, other]) model.close();
  });

  it("trains a folder's model whole if asked, from its weights", async () => {
    const store = memoryFileStore();
    const config = FAMILIES.llama ?? {};
    await writeModel(store, "m", config, drawnWeights(config));
    const actor_network = await LanguageModel.load("m", { store });
    const whole = { full_finetuning: true, batch_size: 4 };
    const agent = AGENTS.GRPO(actor_network, whole);
    const twin = agent.clone(1);
    await twin.getAction(PROMPTS);
    expect(agent.lora_config).toBeNull();
    const before = await actor_network.parts.stored?.whole();
    await learnOnce(agent);
    for (const [name, values] of before ?? []) {
      expect([name, twin.member.policy[`actor.${name}`]]).toEqual([name, values]);
      expect([name, agent.member.policy[`reference.${name}`]]).toEqual([name, values]);
      expect([name, agent.member.policy[`actor.${name}`]]).not.toEqual([name, values]);
    }
    await agent.saveCheckpoint("a", { store });
    const other = AGENTS.GRPO(actor_network, whole);
    await other.loadCheckpoint("a", { store, load_optimizer: true });
    expect(other.member).toEqual(agent.member);
    await AGENTS.SFT(actor_network, { lora_config: {} }).saveCheckpoint("b", { store });
    const adapter = await LoraAdapter.load("b/actor", { store });
    expect(() => AGENTS.GRPO(actor_network, { ...whole, adapter })).toThrow(
      "GRPO.full_finetuning: not allowed together with adapter",
    );
    actor_network.close();
  });

  it.each([
    ["sums of log-ratios", {}, false],
    ["means of log-ratios with ipo", { loss_type: "ipo" }, false],
    ["sums of log-probabilities without a reference", { reference_free: true }, true],
  ])("DPO is as fit as its margins, by %s", async (_, own, isFree) => {
    const actor_network = await digits();
    const agent = AGENTS.DPO(actor_network, { ...own, beta: 0.5, update_epochs: 1 });
    expect(Object.keys(agent.member.policy).some((key) => key.startsWith("reference."))).toBe(!isFree);
    await learnOnce(agent);
    const train = [
      { prompt: "01", chosen: "2", rejected: "334" },
      { prompt: "4", chosen: "13", rejected: "0" },
    ];
    const { tokenizer } = actor_network;
    const env = new DatasetEnv({
      train,
      tokenizer,
      objective: "preference",
      data_batch_size_per_gpu: 2,
      fitness: "margin",
    });
    const { reward_margin } = (await agent.lossAndGradients(env.evalMode(() => env.reset()))).metrics;
    expect(reward_margin).not.toBeCloseTo(0, 4);
    expect(await agent.test(env)).toBeCloseTo(reward_margin ?? Number.NaN, 5);
    agent.close();
    actor_network.close();
  });

  it("DPO is as fit as its choices are right, whatever beta is, less what chosen answers have lost", async () => {
    const actor_network = await digits();
    const train = [
      { prompt: "01", chosen: "2", rejected: "334" },
      { prompt: "4", chosen: "13", rejected: "0" },
    ];
    const { tokenizer } = actor_network;
    const rows = { train, tokenizer, objective: "preference", data_batch_size_per_gpu: 2 } as const;
    const batch = new DatasetEnv(rows).reset();
    const learnt = await Promise.all(
      [0.1, 1].map(async (beta) => {
        const agent = AGENTS.DPO(actor_network, { beta, nll_alpha: 1, update_epochs: 1, lr: 1e-4 });
        const before = await agent.test(new DatasetEnv(rows));
        for (let i = 0; i < 4; i++) await agent.learn(batch);
        const likelihood = await agent.test(new DatasetEnv({ ...rows, fitness: "likelihood" }));
        const fitness = await agent.test(new DatasetEnv(rows));
        const { chosen_log_prob } = (await agent.lossAndGradients(batch)).metrics;
        agent.close();
        expect(likelihood).toBeCloseTo(chosen_log_prob ?? Number.NaN, 5);
        return [before, fitness];
      }),
    );
    expect(learnt).toEqual([
      [0, 1],
      [0, 1],
    ]);
    const loser = AGENTS.DPO(actor_network, { beta: 0.1, nll_alpha: 0, update_epochs: 1, lr: 0.05 });
    const likelihood = new DatasetEnv({ ...rows, fitness: "likelihood" });
    const [first, swapped] = [
      await loser.test(likelihood),
      train.map((row) => ({ ...row, chosen: row.rejected })),
    ];
    const wrong = swapped.map((row, i) => ({ ...row, rejected: train[i]?.chosen ?? "" }));
    for (let i = 0; i < 6; i++) await loser.learn(new DatasetEnv({ ...rows, train: wrong }).reset());
    const lost = first - (await loser.test(likelihood));
    expect(lost).toBeGreaterThan(0.1);
    expect(await loser.test(new DatasetEnv(rows))).toBeCloseTo(-lost, 4);
    loser.close();
    actor_network.close();
  });

  it("KTO is as fit as answers gain where they are desirable and lose where not, less what those have lost", async () => {
    const actor_network = await digits();
    const train = [
      { prompt: "01", response: "2", label: true },
      { prompt: "4", response: "30", label: false },
    ];
    const { tokenizer } = actor_network;
    const rows = { train, tokenizer, objective: "unpaired", data_batch_size_per_gpu: 2 } as const;
    const wrong = train.map((row) => ({ ...row, label: !row.label }));
    const fitnesses = [];
    const gains: number[] = [];
    for (const learnt of [train, wrong]) {
      const agent = AGENTS.KTO(actor_network, { beta: 0.5, update_epochs: 1, lr: 0.01 });
      const likelihood = new DatasetEnv({ ...rows, fitness: "likelihood" });
      const before = [await agent.test(new DatasetEnv(rows)), await agent.test(likelihood)] as const;
      for (let i = 0; i < 4; i++) await agent.learn(new DatasetEnv({ ...rows, train: learnt }).reset());
      gains.push((await agent.test(likelihood)) - before[1]);
      fitnesses.push(before[0], await agent.test(new DatasetEnv(rows)));
      agent.close();
    }
    expect(fitnesses.slice(0, 3)).toEqual([0, 1, 0]);
    expect(gains.map((gain) => gain > 0)).toEqual([true, false]);
    expect(fitnesses[3]).toBeCloseTo(gains[1] ?? Number.NaN, 4);
    actor_network.close();
  });

  it("takes a share of each weight away, and follows a schedule, where it learns from rows, too", async () => {
    const actor_network = await digits();
    const { tokenizer } = actor_network;
    const train = [{ prompt: "1", response: "2" }];
    const batch = new DatasetEnv({ train, tokenizer, objective: "sft" }).reset();
    const learnt = async (own: object): Promise<readonly [string, Float32Array][]> => {
      const agent = AGENTS.SFT(actor_network, { lr: 0.01, update_epochs: 1, ...own });
      await agent.learn(batch);
      const { policy } = agent.member;
      agent.close();
      return Object.entries(policy).filter(([name]) => name.startsWith("actor."));
    };
    const before = new Map(await learnt({ lr: 0, weight_decay: 0 }));
    const plain = new Map(await learnt({ weight_decay: 0 }));
    // The rate of the first of four steps that it rises for is a quarter of the highest.
    const schedule = { num_steps: 30, warmup_proportion: 0.1 };
    const slow = new Map(await learnt({ weight_decay: 0, cosine_lr_schedule_config: schedule }));
    const differences: number[] = [];
    for (const [name, values] of await learnt({ weight_decay: 0.5 }))
      for (const [i, value] of values.entries()) {
        const [start, without, first] = [before, plain, slow].map(
          (of) => of.get(name)?.[i] ?? Number.NaN,
        ) as [number, number, number];
        differences.push(without - value - 0.01 * 0.5 * start, first - start - (without - start) / 4);
      }
    expect(differences.length).toBeGreaterThan(100);
    expect(differences.filter((x) => !(Math.abs(x) < 1e-6))).toEqual([]);
    actor_network.close();
  });

  it("is as fit as its greedy answers, by equality or by a rubric of text, answer and row", async () => {
    const actor_network = await digits();
    const { tokenizer } = actor_network;
    const train = [
      { prompt: "1", response: "2", want: "2" },
      { prompt: "3", response: "4", want: "9" },
    ];
    const rows = { train, tokenizer, objective: "sft" } as const;
    const agent = AGENTS.SFT(actor_network, { lr: 0.02 });
    const batch = new DatasetEnv(rows).reset();
    for (let i = 0; i < 30; i++) await agent.learn(batch);
    expect(await agent.test(new DatasetEnv({ ...rows, fitness: "exact_match" }))).toBe(1);
    const seen: unknown[] = [];
    const rubric: Rubric = (text, answer, row) => {
      seen.push([text, answer]);
      return text === row.want ? 1 : 0;
    };
    expect(await agent.test(new DatasetEnv({ ...rows, rubric }))).toBe(0.5);
    expect(seen).toEqual([
      ["2", "2"],
      ["4", "4"],
    ]);
    const short = AGENTS.SFT(actor_network, { stop_strings: ["0", "1", "2", "3", "4"] });
    expect(await short.test(new DatasetEnv({ ...rows, rubric: (text) => text.length }))).toBeLessThanOrEqual(
      1,
    );
    short.close();
    const parts = { rubric: () => ({ right: 1, short: 3 }), reward_weights: { right: 2, short: -0.5 } };
    expect(await agent.test(new DatasetEnv({ ...rows, ...parts }))).toBe(0.5);
    const none = new DatasetEnv({ ...rows, rubric: () => Number.NaN });
    expect(await agent.test(none)).toBeNaN();
    const torn = (_text: string, answer: string): number => {
      throw new Error(`nothing is like ${answer}`);
    };
    await expect(agent.test(new DatasetEnv({ ...rows, rubric: torn }))).rejects.toThrow(
      /rubric "torn", row \{.*"2".*\}: nothing is like 2/,
    );
    expect(() => new DatasetEnv({ ...rows, fitness: "rubric" })).toThrow(/rubric: found none/);
    expect(() => new DatasetEnv({ ...rows, fitness: "margin" })).toThrow(/fitness: found "margin"/);
    agent.close();
    actor_network.close();
  });

  it("refuses what is no model, unknown fields, and contradictions", async () => {
    const actor_network = await digits();
    expect(() => new GRPO({} as never)).toThrow(/GRPO.actor_network: .*LanguageModel/);
    expect(() => new GRPO({ actor_network, gruop_size: 4 } as never)).toThrow(/gruop_size/);
    expect(() => new SFT({ actor_network, mini_batch_size: 4 })).toThrow(
      /SFT.mini_batch_size: found 4, allowed 16/,
    );
    expect(() => new SFT({ actor_network, gradient_accumulation_steps: 2 })).toThrow(
      /algorithm.gradient_accumulation_steps: found 2; above 1 it needs micro_batch_size_per_gpu to be set/,
    );
    expect(() => new GRPO({ actor_network, use_bias_correction_kl: true })).toThrow(
      /use_bias_correction_kl: found true with kl_estimator rlkit; it corrects k3; set kl_estimator: k3/,
    );
    const three = { micro_batch_size_per_gpu: 3, gradient_accumulation_steps: 2 };
    expect(() => new GRPO({ actor_network, batch_size: 4, group_size: 2, ...three })).toThrow(
      /found 2, with .*_gpu 3; a batch of 8 sequences must be a multiple of their product, 6/,
    );
    expect(() => new SFT({ actor_network, lora_config: { target_modules: ["wte"] } })).toThrow(
      /target_modules/,
    );
    actor_network.close();
  });

  it("says that a closed agent or model was closed", async () => {
    const actor_network = await digits();
    const agent = AGENTS.SFT(actor_network);
    agent.close();
    await expect(learnOnce(agent)).rejects.toThrow(/SFT 0: is closed/);
    actor_network.close();
    await expect(actor_network.logits({ input_ids: [[1]] })).rejects.toThrow(/rlkit\/tiny-digits: is closed/);
  });

  it("keeps what it was where the loss is not finite", async () => {
    const actor_network = await digits();
    const agent = AGENTS.SFT(actor_network);
    const [name = "", values = new Float32Array()] = Object.entries(agent.member.policy)[0] ?? [];
    const broken = { ...agent.member.policy, [name]: values.map(() => Number.NaN) };
    agent.member = { ...agent.member, policy: broken };
    const before = agent.member;
    await expect(learnOnce(agent)).rejects.toThrow(DivergedError);
    expect(agent.member).toBe(before);
    actor_network.close();
  });

  it("names fields without effect in one warning, and refuses adapters of what is no linear layer", async () => {
    const said = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const actor_network = await digits();
    const lora_config = { lora_r: 2, lora_dropout: 0.1 };
    const agent = new GRPO({ actor_network, lora_config, use_liger_loss: false, chunk_rows: 4 });
    expect(said.mock.calls).toEqual([
      [
        "rlkit: GRPO.use_liger_loss, GRPO.chunk_rows, GRPO.lora_config.lora_dropout: no effect for language models",
      ],
    ]);
    expect(() => new GRPO({ actor_network, lora_config: { target_parameters: ["experts"] } })).toThrow(
      'GRPO.lora_config.target_parameters: found ["experts"], allowed null: adapters go to linear layers',
    );
    agent.close();
    said.mockRestore();
    actor_network.close();
  });

  it("warns of each thing once", async () => {
    const said = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const actor_network = await digits();
    const agent = AGENTS.CISPO(actor_network, { beta: 0.1 });
    for (let i = 0; i < 2; i++) await learnOnce(agent);
    expect(said.mock.calls.filter(([text]) => String(text).includes("beta is 0.1"))).toHaveLength(1);
    said.mockRestore();
    actor_network.close();
  });
});
