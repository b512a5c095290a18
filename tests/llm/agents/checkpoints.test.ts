/** Agents' directories: what is in them, and what becomes of it in another agent. */
import { describe, expect, it, vi } from "vitest";
import { GRPO, LanguageModel, type LLMAlgorithm, LoraAdapter } from "../../../src/llm/index.ts";
import { decodeSafetensors, memoryFileStore } from "../../../src/storage/index.ts";
import {
  drawnAdapter,
  drawnWeights,
  FAMILIES,
  writeAdapter,
  writeModel,
} from "../inside/support/smallModels.ts";
import { filesIn } from "../support/filesIn.ts";
import { AGENTS, ALL_NAMES, digits, learnOnce, TUNINGS } from "../support/languageAgents.ts";

const ADAPTER = { lora_config: { lora_r: 4 } };

/** Weights of one role. */
const roleOf = (agent: LLMAlgorithm, role: string): Record<string, Float32Array> =>
  Object.fromEntries(
    Object.entries(agent.member.policy)
      .filter(([name]) => name.startsWith(`${role}.`))
      .map(([name, values]) => [name.slice(role.length + 1), values]),
  );

/** An agent that has learned, so that its actor is neither its reference nor where it began. */
async function trained<A extends ReturnType<(typeof AGENTS)[keyof typeof AGENTS]>>(agent: A): Promise<A> {
  await learnOnce(agent);
  agent.member = { ...agent.member, fitness: [0.5, Number.NaN], steps: 12, mut: "lr", samples: 3, epoch: 1 };
  return agent;
}

describe.each(ALL_NAMES)("%s", (name) => {
  it.each(TUNINGS)("goes on from its directory as if it had never stopped, trained %s", async (_how, own) => {
    const store = memoryFileStore();
    const actor_network = await digits();
    const agent = await trained(AGENTS[name](actor_network, { ...own, index: 3 }));
    await agent.saveCheckpoint("runs/a", { store });
    const other = AGENTS[name](actor_network, own);
    await other.loadCheckpoint("runs/a", { store, load_optimizer: true });
    expect(other.member).toEqual(agent.member);
    expect(other.spec).toEqual(agent.spec);
    expect(await learnOnce(other)).toEqual(await learnOnce(agent));
    expect(other.member.policy).toEqual(agent.member.policy);
    actor_network.close();
  });
});

describe("the directory", () => {
  it("has adapters in PEFT's files, value head, moments and attributes", async () => {
    const store = memoryFileStore();
    const actor_network = await digits();
    const agent = await trained(AGENTS.LLMPPO(actor_network, ADAPTER));
    await agent.saveCheckpoint("a", { store });
    const adapter = ["adapter_config.json", "adapter_model.safetensors", "checksums.json"];
    expect(await filesIn(store, "a")).toEqual(
      [
        ...["actor", "critic", "reference"].flatMap((role) => adapter.map((file) => `${role}/${file}`)),
        "attributes.json",
        "checksums.json",
        "optimizer.safetensors",
        "value_head.safetensors",
      ].sort(),
    );
    const head = decodeSafetensors(await store.read("a/value_head.safetensors"), "").tensors;
    expect([...head].map(([key, { shape }]) => [key, shape])).toEqual([
      ["value_head.weight", [1, 64]],
      ["value_head.bias", [1]],
    ]);
    const attributes = JSON.parse(new TextDecoder().decode(await store.read("a/attributes.json")));
    expect(attributes).toMatchObject({
      algorithm: "LLMPPO",
      model: "rlkit/tiny-digits",
      fitness: [0.5, null],
    });
    actor_network.close();
  });

  it("has a model that LanguageModel loads where the agent trains it whole, and nothing of an earlier agent", async () => {
    const store = memoryFileStore();
    const actor_network = await digits();
    await AGENTS.LLMPPO(actor_network, ADAPTER).saveCheckpoint("a", { store });
    const agent = await trained(AGENTS.SFT(actor_network));
    await agent.saveCheckpoint("a", { store });
    expect(await filesIn(store, "a")).toEqual([
      "actor/checksums.json",
      "actor/config.json",
      "actor/model.safetensors",
      "actor/tokenizer.json",
      "actor/tokenizer_config.json",
      "attributes.json",
      "checksums.json",
      "optimizer.safetensors",
    ]);
    const model = await LanguageModel.load("a/actor", { store });
    const batch = { input_ids: [[0, 1, 2, 3]], attention_mask: [[1, 1, 1, 1]], prompt_lengths: [1] };
    const { loss } = await agent.lossAndGradients(batch);
    const { data } = await model.logProbs(batch);
    expect(-(data[0] ?? 0) - (data[1] ?? 0) - (data[2] ?? 0)).toBeCloseTo(3 * loss, 4);
    for (const each of [model, actor_network]) each.close();
  });
});

describe("an adapter of PEFT", () => {
  it.each(Object.keys(FAMILIES))("goes through an agent byte for byte: %s", async (family) => {
    const store = memoryFileStore();
    const config = FAMILIES[family] ?? {};
    const lora = { lora_r: 2, lora_alpha: 8, target_modules: "all-linear" };
    await writeModel(store, "m", config, drawnWeights(config));
    await writeAdapter(store, "adapter", config, lora, drawnAdapter(config, lora));
    const adapter = await LoraAdapter.load("adapter", { store });
    await adapter.save("copy", { store });
    for (const file of ["adapter_config.json", "adapter_model.safetensors"])
      expect(await store.read(`copy/${file}`)).toEqual(await store.read(`adapter/${file}`));

    const actor_network = await LanguageModel.load("m", { store });
    const agent = new GRPO({ actor_network, adapter });
    expect(agent.lora_config).toMatchObject({ lora_r: 2, lora_alpha: 8 });
    await agent.saveCheckpoint("a", { store });
    for (const written of [
      await LoraAdapter.load("a/actor", { store }),
      await LoraAdapter.load("a/reference", { store }),
      await agent.exportAdapter(),
    ])
      expect(written.tensors).toEqual(adapter.tensors);
    actor_network.close();
  });

  it("is refused beside lora_config, for another model, and from an agent that has none", async () => {
    const store = memoryFileStore();
    const actor_network = await digits();
    const agent = AGENTS.SFT(actor_network, ADAPTER);
    await agent.saveCheckpoint("a", { store });
    const adapter = await LoraAdapter.load("a/actor", { store });
    expect(() => AGENTS.SFT(actor_network, { adapter, ...ADAPTER })).toThrow(
      /SFT.lora_config: not allowed together with/,
    );
    const letters = await LanguageModel.load("rlkit/tiny-letters");
    expect(() => AGENTS.SFT(letters, { adapter })).toThrow(/base_model_name_or_path/);
    await expect(letters.logits({ input_ids: [[1]], adapter })).rejects.toThrow(/base_model_name_or_path/);
    await expect(AGENTS.SFT(actor_network).exportAdapter()).rejects.toThrow(/SFT: trains the whole model/);
    await expect(LoraAdapter.load("a", { store })).rejects.toThrow(/adapter_config.json/);
    for (const model of [letters, actor_network]) model.close();
  });
});

describe("the reference on load", () => {
  it.each(TUNINGS)("is the checkpoint's, else a copy of its actor; trained %s", async (_how, own) => {
    const store = memoryFileStore();
    const actor_network = await digits();
    const first = await trained(AGENTS.SFT(actor_network, own));
    const second = await trained(AGENTS.DPO(actor_network, own));
    await first.saveCheckpoint("sft", { store });
    await second.saveCheckpoint("dpo", { store });
    const agent = AGENTS.GRPO(actor_network, own);
    const begun = roleOf(agent, "reference");

    await agent.loadWeights("sft", { store });
    expect(roleOf(agent, "actor")).toEqual(roleOf(first, "actor"));
    expect(roleOf(agent, "reference")).toEqual(roleOf(first, "actor"));
    expect(roleOf(agent, "reference")).not.toEqual(begun);

    await agent.loadWeights("dpo", { store });
    expect(roleOf(agent, "actor")).toEqual(roleOf(second, "actor"));
    expect(roleOf(agent, "reference")).toEqual(roleOf(second, "reference"));
    expect(roleOf(agent, "reference")).not.toEqual(roleOf(second, "actor"));

    await agent.loadWeights("dpo", { store, overwrite_reference_adapter: true });
    expect(roleOf(agent, "reference")).toEqual(roleOf(second, "actor"));

    await agent.loadWeights("sft", { store, overwrite_reference_adapter: false });
    expect(roleOf(agent, "reference")).toEqual(roleOf(second, "actor"));
    expect((await learnOnce(agent)).loss).toEqual(expect.any(Number));
    actor_network.close();
  });
});

describe("the critic on load", () => {
  it.each(TUNINGS)(
    "is the checkpoint's, else a new one, or a copy of the actor; trained %s",
    async (_how, own) => {
      const store = memoryFileStore();
      const actor_network = await digits();
      const saved = await trained(AGENTS.LLMPPO(actor_network, own));
      await saved.saveCheckpoint("ppo", { store });
      const plain = await trained(AGENTS.GRPO(actor_network, own));
      await plain.saveCheckpoint("grpo", { store });
      const agent = AGENTS.LLMPPO(actor_network, own);
      const begun = roleOf(agent, "critic");

      await agent.loadWeights("ppo", { store });
      expect(roleOf(agent, "critic")).toEqual(roleOf(saved, "critic"));
      await agent.loadWeights("grpo", { store });
      expect(roleOf(agent, "critic")).toEqual(begun);
      await agent.loadWeights("ppo", { store, overwrite_critic_adapter: true });
      const { "value_head.weight": weight, "value_head.bias": bias, ...critic } = roleOf(agent, "critic");
      expect(critic).toEqual(roleOf(saved, "actor"));
      expect(weight).toEqual(roleOf(saved, "critic")["value_head.weight"]);
      expect(bias).toHaveLength(1);

      await store.remove("ppo/value_head.safetensors");
      await expect(agent.loadWeights("ppo", { store })).rejects.toThrow(
        /value_head.safetensors.*no such file/,
      );
      actor_network.close();
    },
  );
});

describe("what does not fit", () => {
  it("is refused by name: another algorithm, rank, training or agent, and files that are missing", async () => {
    const store = memoryFileStore();
    const actor_network = await digits();
    await (await trained(AGENTS.SFT(actor_network, ADAPTER))).saveCheckpoint("a", { store });
    const grpo = AGENTS.GRPO(actor_network, ADAPTER);
    await expect(grpo.loadCheckpoint("a", { store })).rejects.toThrow(
      /a\/attributes.json: algorithm: found SFT, allowed GRPO; use loadWeights/,
    );
    const wider = AGENTS.SFT(actor_network, { lora_config: { lora_r: 8 } });
    await expect(wider.loadWeights("a", { store })).rejects.toThrow(/found 4, allowed 8/);
    await expect(AGENTS.SFT(actor_network).loadWeights("a", { store })).rejects.toThrow(
      /a\/actor\/config.json.*found adapter_config.json in its place/,
    );
    await expect(grpo.loadWeights("b", { store })).rejects.toThrow(/b\/actor\/adapter_config.json/);
    await expect(grpo.loadCheckpoint("b", { store })).rejects.toThrow(/b\/attributes.json.*no such file/);
    const critic = await trained(AGENTS.LLMPPO(actor_network, ADAPTER));
    await critic.saveCheckpoint("c", { store });
    await store.write("a/optimizer.safetensors", await store.read("c/optimizer.safetensors"));
    await store.remove("a/checksums.json");
    await expect(
      AGENTS.SFT(actor_network, ADAPTER).loadCheckpoint("a", { store, load_optimizer: true }),
    ).rejects.toThrow(/a\/optimizer.safetensors.*does it belong to another agent/);
    actor_network.close();
  });

  it("begins optimisers anew unless they are asked for, and says where there are none", async () => {
    const store = memoryFileStore();
    const actor_network = await digits();
    const agent = await trained(AGENTS.SFT(actor_network, ADAPTER));
    await agent.saveCheckpoint("a", { store });
    const other = AGENTS.SFT(actor_network, ADAPTER);
    await other.loadCheckpoint("a", { store });
    expect(Object.keys(other.member.policy).every((name) => name.startsWith("actor."))).toBe(true);
    await store.remove("a/optimizer.safetensors");
    await store.remove("a/checksums.json");
    const said = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    await other.loadCheckpoint("a", { store, load_optimizer: true });
    expect(said.mock.calls.join()).toMatch(
      /a\/optimizer.safetensors: no such file; the optimisers are reset/,
    );
    said.mockRestore();
    actor_network.close();
  });
});
