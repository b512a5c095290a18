/** Damage to the files of an agent's directory is reported, or changes nothing that is loaded. */
import { createHash } from "node:crypto";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, it, vi } from "vitest";
import { root } from "../../../scripts/lib/environment.mjs";
import { LanguageModel, type LLMAlgorithm, LoraAdapter } from "../../../src/llm/index.ts";
import { type FileStore, memoryFileStore } from "../../../src/storage/index.ts";
import { nodeFileStore } from "../../../src/storage/node/index.ts";
import { filesIn } from "../support/filesIn.ts";
import { AGENTS, digits, learnOnce } from "../support/languageAgents.ts";

const ADAPTER = { lora_config: { lora_r: 1 } };

/** Cuts and single changed bytes at places that reach headers, names, numbers and ends of files. */
function damages(bytes: Uint8Array): readonly Uint8Array[] {
  const offsets = [0, 1, 8, 9, 40, 0.1, 0.3, 0.5, 0.7, 0.9].map((at) =>
    at > 0 && at < 1 ? Math.floor(at * bytes.length) : at,
  );
  const changed = [...offsets, bytes.length - 1]
    .filter((at) => at < bytes.length)
    .map((at) => bytes.map((byte, i) => (i === at ? byte ^ 1 : byte)));
  const cut = [0, 7, Math.floor(bytes.length / 2), bytes.length - 1].map((end) => bytes.slice(0, end));
  return [...changed, ...cut];
}

/** What is loaded; `null` if the load was refused with an error that names a file. */
async function loaded<T>(load: () => Promise<T>): Promise<T | null> {
  try {
    return await load();
  } catch (error) {
    if (/\w\.(json|safetensors)/.test(String(error))) return null;
    throw error;
  }
}

/** The kinds of damage to any file of a directory after which something else is loaded. */
async function undetected<T>(store: FileStore, dir: string, load: () => Promise<T>): Promise<string[]> {
  const whole = await load();
  const originals = new Map<string, Uint8Array>();
  for (const name of await filesIn(store, dir)) originals.set(name, await store.read(`${dir}/${name}`));
  const missed: string[] = [];
  let refused = 0;
  const check = async (what: string): Promise<void> => {
    const found = await loaded(load);
    if (found === null) refused++;
    else if (!isDeepStrictEqual(found, whole)) missed.push(what);
  };
  for (const [name, bytes] of originals) {
    const at = `${dir}/${name}`;
    for (const [number, damaged] of damages(bytes).entries()) {
      await store.write(at, damaged);
      await check(`${name}, damage ${number}`);
    }
    for (const [other, instead] of originals) {
      if (other <= name) continue;
      await store.write(at, instead);
      await store.write(`${dir}/${other}`, bytes);
      await check(`${name} and ${other} swapped`);
      await store.write(`${dir}/${other}`, instead);
    }
    // Without its list, a directory loads as one of an earlier version, with a notice.
    if (name !== "checksums.json") {
      await store.remove(at);
      await check(`${name} removed`);
    }
    await store.write(at, bytes);
  }
  await check("nothing: the originals are back");
  return refused === 0 ? ["no damage was refused"] : missed;
}

/** A digest of all weights and moments of an agent. */
function digestOf(agent: LLMAlgorithm): string {
  const hash = createHash("sha256");
  const entries = Object.entries(agent.member.policy).toSorted(([a], [b]) => (a < b ? -1 : 1));
  for (const [name, { buffer, byteOffset, byteLength }] of entries)
    hash.update(name).update(new Uint8Array(buffer, byteOffset, byteLength));
  return hash.digest("hex");
}

describe("damage", () => {
  it.each([
    ["adapters, a reference, a critic", "LLMPPO", ADAPTER],
    ["a whole model", "SFT", {}],
  ] as const)("of an agent's directory: %s", async (_what, name, own) => {
    const warned = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const store = memoryFileStore();
    const actor_network = await digits();
    const agent = AGENTS[name](actor_network, own);
    await learnOnce(agent);
    await agent.saveCheckpoint("a", { store });
    const other = AGENTS[name](actor_network, own);
    const load = async () => {
      await other.loadCheckpoint("a", { store, load_optimizer: true });
      return other.member;
    };
    expect(await undetected(store, "a", load)).toEqual([]);
    expect(warned).not.toHaveBeenCalled();
    actor_network.close();
  });

  it("of an adapter's own folder, also of a saved copy", async () => {
    const store = memoryFileStore();
    const actor_network = await digits();
    await AGENTS.SFT(actor_network, ADAPTER).saveCheckpoint("a", { store });
    const load = async (dir: string) => (await LoraAdapter.load(dir, { store })).for(actor_network.config);
    expect(await undetected(store, "a/actor", () => load("a/actor"))).toEqual([]);
    await (await LoraAdapter.load("a/actor", { store })).save("copy", { store });
    expect(await undetected(store, "copy", () => load("copy"))).toEqual([]);
    actor_network.close();
  });

  it("of a whole model that an agent wrote", async () => {
    const store = memoryFileStore();
    const actor_network = await digits();
    await AGENTS.SFT(actor_network).saveCheckpoint("a", { store });
    const load = async () => {
      const model = await LanguageModel.load("a/actor", { store });
      const { config, weights } = model.parts;
      model.close();
      return { config, weights };
    };
    expect(await undetected(store, "a/actor", load)).toEqual([]);
    actor_network.close();
  });
});

it("a damaged file is named, with what to do", async () => {
  const store = memoryFileStore();
  const actor_network = await digits();
  const agent = AGENTS.SFT(actor_network, ADAPTER);
  await agent.saveCheckpoint("runs/a", { store });
  const place = "runs/a/actor/adapter_model.safetensors";
  const bytes = await store.read(place);
  await store.write(place, bytes.with(bytes.length - 3, 1 ^ (bytes.at(-3) ?? 0)));
  await expect(agent.loadWeights("runs/a", { store })).rejects.toThrow(
    `${place}: differs from runs/a/checksums.json; use another copy of the folder, or delete checksums.json if you changed the files yourself`,
  );
  actor_network.close();
});

it("a directory from before there were checksums loads with a notice, and is verified once it is saved again", async () => {
  const warned = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const store = nodeFileStore(path.join(root, "tests/formats/fixtures/language-agent-1"));
  const actor_network = await digits();
  const agent = AGENTS.LLMPPO(actor_network, ADAPTER);
  await agent.loadCheckpoint("agent", { store, load_optimizer: true });
  expect(agent.member).toMatchObject({ steps: 12, mut: "lr_actor", fitness: [0.5, Number.NaN], updates: 1 });
  expect(digestOf(agent)).toBe("b3c1fe41d5eb7521f680a444c7d0a19c574076384933f1826585ea45551a5cda");
  const memory = memoryFileStore();
  await agent.saveCheckpoint("again", { store: memory });
  const other = AGENTS.LLMPPO(actor_network, ADAPTER);
  await other.loadCheckpoint("again", { store: memory, load_optimizer: true });
  expect(digestOf(other)).toBe(digestOf(agent));
  expect(warned.mock.calls).toEqual([
    [
      "rlkit: agent: has no checksums.json (it was written by an earlier version), so damage cannot be detected; save it again to add one",
    ],
  ]);
  actor_network.close();
});
