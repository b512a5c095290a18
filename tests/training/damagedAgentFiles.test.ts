import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Discrete } from "../../src/rl/spaces.ts";
import {
  decodeSafetensors,
  encodeSafetensors,
  type FileStore,
  isStorageError,
  memoryFileStore,
} from "../../src/storage/index.ts";
import { decodeAgent, encodeAgent } from "../../src/training/files.ts";
import { loadAgent, loadElite, saveAgent } from "../../src/training/index.ts";
import { runCli, storeWithManifest } from "../cli/support.ts";
import { agentOf } from "../rl/support/agents.ts";
import { consoleWarnings } from "./support/consoleWarnings.ts";
import { dqn, trained } from "./support/tiny.ts";

const consoleSaid = consoleWarnings();

/** The file as an earlier version wrote it. */
function withoutChecksum(bytes: Uint8Array): Uint8Array {
  const { tensors, metadata } = decodeSafetensors(bytes, "f");
  const { sha256: _, ...rest } = metadata;
  return encodeSafetensors(tensors, rest);
}

/** A file whose agent has learned, so that no tensor is all zeros. */
async function saved(): Promise<{ store: FileStore; bytes: Uint8Array }> {
  const store = memoryFileStore();
  await trained(dqn({ store }), { save_elite: true, elite_path: "e" });
  return { store, bytes: await store.read("e.safetensors") };
}

const flipped = (bytes: Uint8Array, bits: readonly number[]): Uint8Array => {
  const copy = bytes.slice();
  for (const bit of bits) copy[bit >> 3] = (copy[bit >> 3] as number) ^ (1 << (bit & 7));
  return copy;
};

/** Two ranges of `length` bytes, each in the other's place. */
function swapped(bytes: Uint8Array, [from, to]: readonly [number, number], length: number): Uint8Array {
  const copy = bytes.slice();
  copy.set(bytes.subarray(to, to + length), from);
  copy.set(bytes.subarray(from, from + length), to);
  return copy;
}

describe("a damaged agent's file", () => {
  it("is refused, or gives exactly what was saved: flipped bits, ends cut off, swapped and blank ranges", async () => {
    const { bytes } = await saved();
    const whole = decodeAgent(bytes, "e");
    const header = 8 + Number(new DataView(bytes.buffer).getBigUint64(0, true));
    // Half of all damage is in the header, which is a small part of the file.
    const place = (room: number) => fc.oneof(fc.nat(header - 1), fc.nat(bytes.length - room - 1));
    const damage = fc.oneof(
      fc
        .array(
          place(0).chain((byte) => fc.nat(7).map((bit) => 8 * byte + bit)),
          { minLength: 1, maxLength: 4 },
        )
        .map((bits) => flipped(bytes, bits)),
      place(0).map((length) => bytes.subarray(0, length)),
      fc
        .tuple(place(64), place(64), fc.integer({ min: 1, max: 64 }))
        .map(([a, b, length]) => swapped(bytes, [a, b], length)),
      fc
        .tuple(place(64), fc.integer({ min: 1, max: 64 }))
        .map(([at, length]) => bytes.slice().fill(0, at, at + length)),
    );
    fc.assert(
      fc.property(damage, (damaged) => {
        try {
          expect(decodeAgent(damaged, "e")).toEqual(whole);
        } catch (error) {
          if (!isStorageError(error)) throw error;
        }
      }),
      { numRuns: 1500 },
    );
  });

  it.each([
    ["a weight", (bytes: Uint8Array) => flipped(bytes, [8 * (bytes.length - 2)])],
    ["a fitness", (bytes: Uint8Array) => replaced(bytes, '"fitness":"[', '"fitness":"[1')],
    ["a hyperparameter", (bytes: Uint8Array) => replaced(bytes, '\\"batch_size\\":8', '\\"batch_size\\":9')],
    ["the environment", (bytes: Uint8Array) => replaced(bytes, "CartPole-v1", "CartPole-v0")],
    ["the checksum", (bytes: Uint8Array) => replaced(bytes, '"sha256":"', '"sha25 ":"')],
  ])("is refused where %s was changed", async (_what, damage) => {
    const { bytes } = await saved();
    const damaged = damage(bytes);
    expect(damaged).not.toEqual(bytes);
    expect(() => decodeAgent(damaged, "e.safetensors")).toThrow(
      /^e\.safetensors: (is corrupt \(its SHA-256 differs\); use another file, or |has no "sha256")/,
    );
  });

  it("is refused wherever it is read", async () => {
    const { store, bytes } = await saved();
    await store.write("e.safetensors", flipped(bytes, [8 * (bytes.length - 2)]));
    const changed = /^e\.safetensors: is corrupt/;
    await expect(loadAgent("e", { store })).rejects.toThrow(changed);
    await expect(loadElite(store, "e.safetensors")).rejects.toThrow(changed);
    await expect(trained(dqn({ store, load_weights_from: "e.safetensors" }))).rejects.toThrow(changed);
    await expect(trained(dqn({ store, resume_from_checkpoint: "e.safetensors" }))).rejects.toThrow(changed);
    await storeWithManifest(undefined, store as ReturnType<typeof memoryFileStore>);
    for (const args of [
      ["evaluate", "e.safetensors"],
      ["export", "e.safetensors", "--onnx", "e.onnx"],
      ["train", "m.json", "--resume", "e.safetensors", "--out", "out"],
    ]) {
      const { code, stderr } = await runCli(args, { store });
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining("e.safetensors: is corrupt (its SHA-256 differs)"),
      ]);
    }
  });
});

it("a kind of network that nothing registered is no damage: the error says what to do", async () => {
  const { bytes } = await saved();
  const foreign = replaced(withoutChecksum(bytes), '\\"kind\\":\\"mlp\\"', '\\"kind\\":\\"mine\\"');
  const said =
    /networks\.actor\.encoder\.kind: found "mine", allowed: mlp, .*; if a module of yours registers it, load the module first \(--module FILE/;
  expect(() => decodeAgent(foreign, "e.safetensors")).toThrow(
    expect.objectContaining({ code: "version", message: expect.stringMatching(said) }),
  );
});

/** The file with one text of its header replaced by another of any length. */
function replaced(bytes: Uint8Array, from: string, to: string): Uint8Array {
  const text = new TextDecoder("latin1").decode(bytes);
  const header = 8 + Number(new DataView(bytes.buffer).getBigUint64(0, true));
  const changed = text.slice(8, header).replace(from, to);
  const copy = new Uint8Array(8 + changed.length + bytes.length - header);
  new DataView(copy.buffer).setBigUint64(0, BigInt(changed.length), true);
  copy.set(new TextEncoder().encode(changed), 8);
  copy.set(bytes.subarray(header), 8 + changed.length);
  return copy;
}

describe("an agent's file from before checksums", () => {
  const notice = /e\.safetensors: has no checksum \(it was written by an earlier version\)/;

  async function old(): Promise<FileStore> {
    const { store, bytes } = await saved();
    await store.write("e.safetensors", withoutChecksum(bytes));
    return store;
  }

  it("loads, and the console tells", async () => {
    const store = await old();
    const agent = await loadAgent("e", { store });
    expect(consoleSaid).toEqual([expect.stringMatching(notice)]);
    await saveAgent(agent, "e", { store });
    await loadAgent("e", { store });
    await loadElite(store, "e.safetensors");
    expect(consoleSaid).toHaveLength(1);
    expect((await loadAgent("e", { store })).state).toEqual(agent.state);
  });

  it("starts a run, whose warnings tell", async () => {
    const store = await old();
    for (const start of [
      { load_weights_from: "e.safetensors" },
      { resume_from_checkpoint: "e.safetensors" },
    ]) {
      const { events } = await trained(dqn({ store, ...start }));
      const warnings = events.flatMap((event) => (event.event === "warning" ? [event.message] : []));
      expect(warnings.filter((message) => notice.test(message))).toHaveLength(1);
    }
  });

  it("is evaluated and exported, and standard error tells", async () => {
    const store = await old();
    for (const args of [
      ["evaluate", "e.safetensors", "--episodes", "1"],
      ["export", "e.safetensors", "--onnx", "e.onnx"],
    ]) {
      const { code, stderr } = await runCli(args, { store });
      expect([code, stderr]).toEqual([0, expect.stringMatching(notice)]);
    }
  });
});

it("an agent's file is the same whenever it is written", () => {
  const agent = agentOf({ name: "DQN" }, { action_space: new Discrete(3) });
  expect(encodeAgent(agent)).toEqual(encodeAgent(agent));
  expect(decodeAgent(encodeAgent(agent), "a").notice).toBeNull();
});
