/** Policies in links: what comes back plays the same, and what is hostile becomes a sentence. */
import { beforeEach, describe, expect, it, vi } from "vitest";
import { Random } from "../../../src/evolution/random.ts";
import { findEnvironment } from "../../../src/rl/environments.ts";
import { packPolicy, unpackPolicy } from "../../../src/stage/packedPolicy.ts";
import type { LinkAgent } from "../../../src/stage/stageProtocol.ts";
import { fromHalfFloats, toHalfFloats } from "../../../src/storage/files.ts";
import { decodeKeptAgent } from "../../../src/training/files.ts";
import { packBytes } from "../../../src/ui/lib/packedBytes.ts";
import { playLink, readPlayLink } from "../../../src/ui/pages/play/playLink.ts";
import type { AgentFile } from "../../../src/workers/protocol.ts";
import { agentOf, NORMALIZED } from "../../rl/support/agents.ts";
import { playProblem } from "../../stage/inside/support/stageOf.ts";
import { agentFile } from "../support/stageAgents.ts";

beforeEach(() => {
  vi.stubGlobal("window", { location: { href: "https://example.org/rl/#/runs/a?tab=lineage" } });
});

const packed = async ({ bytes, ...place }: LinkAgent) =>
  packPolicy({ agent: decodeKeptAgent(bytes).agent, ...place });

const textOf = (link: string): string =>
  new URLSearchParams(new URL(link).hash.split("?")[1]).get("agent") ?? "";

/** What opening a link ends with: null where its agent plays, else what the reader is told. */
async function opened(text: string): Promise<string | null> {
  try {
    const { bytes, environment, env_config, module }: AgentFile = await readPlayLink(text);
    const played = { key: "a", bytes, environment, env_config, module, ancestors: [], colour: "red" };
    return await playProblem(played);
  } catch (error) {
    return error instanceof Error ? error.message : `no Error: ${error}`;
  }
}

it("a policy in a link keeps the statistics of the observations that it normalises", () => {
  const { normalization, ...agent } = agentOf({ name: "DQN" }, { normalization: NORMALIZED });
  const values = Float32Array.of(1, 0.1, 1e-7, 3e5);
  const observations = { count: values, mean: values, variance: values };
  const settings = normalization?.settings ?? NORMALIZED;
  const place = { environment: "CartPole-v1", env_config: null, generation: 1, fitness: null };
  const packed = packPolicy({ agent: { ...agent, normalization: { settings, observations } }, ...place });
  const found = unpackPolicy(packed).agent.normalization;
  expect(found).toEqual({ settings: { ...settings, rewards: false }, observations });
});

describe("half floats", () => {
  it("are the nearest ones, even ones of two that are as near", () => {
    const cases: readonly (readonly [number, number])[] = [
      [0, 0],
      [-0, 0x8000],
      [1, 0x3c00],
      [-2, 0xc000],
      [65504, 0x7bff],
      [65519, 0x7bff],
      [65520, 0x7c00],
      [Number.NEGATIVE_INFINITY, 0xfc00],
      [1 + 2 ** -11, 0x3c00],
      [1 + 3 * 2 ** -11, 0x3c02],
      [2 ** -24, 1],
      [2 ** -25, 0],
      [3 * 2 ** -25, 2],
      [2 ** -14, 0x0400],
      [2 ** -14 - 2 ** -24, 0x03ff],
    ];
    for (const [value, half] of cases)
      expect([value, toHalfFloats(Float32Array.of(value))[0]]).toEqual([value, half]);
    expect(Number.isNaN(fromHalfFloats(toHalfFloats(Float32Array.of(Number.NaN)))[0])).toBe(true);
  });

  it("keep every half float", () => {
    const all = Uint16Array.from({ length: 0x7c01 }, (_, i) => i);
    expect(toHalfFloats(fromHalfFloats(all))).toEqual(all);
  });
});

describe("a link", () => {
  it.each([
    ["DQN", "CartPole-v1", {}],
    ["PPO", "Pendulum-v1", {}],
    ["RainbowDQN", "CartPole-v1", {}],
    ["IPPO", "simple_speaker_listener_v4", {}],
    ["DQN", "FrozenLake-v1", { desc: ["SG"], is_slippery: false }],
  ] as const)("holds the policy of %s in %s, its weights as half floats", (name, environment, options) => {
    const env_config = Object.keys(options).length > 0 ? options : null;
    const { observation_space, action_space } = findEnvironment(environment, env_config);
    const agent = agentOf({ name }, { observation_space, action_space, index: 7 });
    const packed = { agent, environment, env_config, generation: 3, fitness: -1.5 };
    const { agent: found, ...place } = unpackPolicy(packPolicy(packed));
    expect(place).toEqual({ environment, env_config, generation: 3, fitness: -1.5 });
    expect([found.algorithm, found.index, found.optimizers]).toEqual([name, 7, {}]);
    expect(found.hyperparameters).toEqual(agent.hyperparameters);
    expect(Object.keys(found.networks).length).toBeGreaterThan(0);
    for (const [network, { data, tensors }] of Object.entries(found.networks)) {
      const own = agent.networks[network];
      expect(data).toEqual(own?.data);
      for (const [tensor, values] of Object.entries(tensors))
        expect(values).toEqual(fromHalfFloats(toHalfFloats(own?.tensors[tensor] ?? new Float32Array())));
    }
  });

  it("plays at once, wherever the page lies", async () => {
    const link = await playLink(agentFile(4, { algorithm: "PPO", generation: 2, fitness: 12 }), packed);
    expect(link.startsWith("https://example.org/rl/#/play?agent=")).toBe(true);
    expect(link.length).toBeLessThan(64 * 1024);
    const file = await readPlayLink(textOf(link));
    expect(file).toMatchObject({ index: 4, generation: 2, fitness: 12, environment: "CartPole-v1" });
    expect(Object.keys(decodeKeptAgent(file.bytes).agent.networks)).toEqual(["actor"]);
    expect(await opened(textOf(link))).toBeNull();
  });

  it("is refused where the policy is too large for it", async () => {
    const env = findEnvironment("CartPole-v1");
    const network = {
      latent_dim: 8,
      encoder_config: { hidden_size: [256, 256] },
      head_config: { hidden_size: [256] },
    };
    const { encodeAgent } = await import("../../../src/training/files.ts");
    const bytes = new Uint8Array(encodeAgent(agentOf({ name: "DQN" }, { ...env, network })));
    await expect(playLink({ ...agentFile(1), bytes }, packed)).rejects.toThrow(
      /This policy needs \d+ kB in a link, but at most 64 kB are allowed/,
    );
  });
});

describe("a hostile link", () => {
  const good = () => {
    const { observation_space, action_space } = findEnvironment("CartPole-v1");
    const agent = agentOf({ name: "DQN" }, { observation_space, action_space, index: 1 });
    return packPolicy({ agent, environment: "CartPole-v1", env_config: null, generation: 1, fitness: null });
  };
  /** The link's bytes with its header changed as text. */
  const withHeader = (change: (text: string) => string): string => {
    const bytes = good();
    const length = new DataView(bytes.buffer).getUint32(0, true);
    const text = new TextEncoder().encode(change(new TextDecoder().decode(bytes.subarray(4, 4 + length))));
    const changed = new Uint8Array(4 + text.length + bytes.length - 4 - length);
    new DataView(changed.buffer).setUint32(0, text.length, true);
    changed.set(text, 4);
    changed.set(bytes.subarray(4 + length), 4 + text.length);
    return packBytes(changed);
  };
  const header = (change: (fields: Record<string, unknown>) => unknown): string =>
    withHeader((text) => JSON.stringify(change(JSON.parse(text) as Record<string, unknown>)));
  const lastWeight = (half: number): string => {
    const bytes = good();
    new DataView(bytes.buffer).setUint16(bytes.length - 2, half, true);
    return packBytes(bytes);
  };

  it.each<readonly [string, () => string, RegExp]>([
    ["nothing", () => "", /it contains invalid characters/],
    ["other letters", () => "%3Cscript%3E", /it contains invalid characters/],
    ["a long one", () => "A".repeat(70_000), /longer than 65536 characters/],
    ["no deflated bytes", () => "AAAA", /damaged or incomplete/],
    ["a bomb", () => packBytes(new Uint8Array(8_000_000)), /larger than 1000 kB/],
    ["a lonely byte", () => packBytes(Uint8Array.of(1)), /incomplete/],
    ["a header longer than it", () => packBytes(Uint8Array.of(255, 255, 255, 255, 1, 2)), /incomplete/],
    ["half a weight", () => packBytes(good().subarray(0, -1)), /incomplete/],
    ["a weight less", () => packBytes(good().subarray(0, -2)), /has \d+ weights, and its networks have \d+/],
    ["no JSON", () => withHeader(() => "{"), /damaged/],
    ["no object", () => withHeader(() => "[]"), /expected object/],
    ["another version", () => header((h) => ({ ...h, version: 3 })), /version/],
    ["an unknown key", () => header((h) => ({ ...h, entrypoint: "evil:make" })), /entrypoint/],
    [
      "code",
      () => header((h) => ({ ...h, environment: "https://evil.example/env.js" })),
      /environment: unknown environment/,
    ],
    [
      "a foreign environment",
      () => header((h) => ({ ...h, environment: "Teapot-v0" })),
      /environment: unknown environment "Teapot-v0"/,
    ],
    [
      "an environment's prototype",
      () => header((h) => ({ ...h, environment: "__proto__" })),
      /environment: unknown environment/,
    ],
    [
      "another environment",
      () => header((h) => ({ ...h, environment: "Acrobot-v1" })),
      /observation_space: found 6/,
    ],
    ["options that it lacks", () => header((h) => ({ ...h, env_config: { gravity: 1 } })), /gravity/],
    ["a long name", () => header((h) => ({ ...h, environment: "x".repeat(4000) })), /environment/],
    [
      "an unknown algorithm",
      () => header((h) => ({ ...h, algorithm: "constructor" })),
      /algorithm|constructor/,
    ],
    ["another algorithm", () => header((h) => ({ ...h, algorithm: "MADDPG" })), /acts with/],
    ["no networks", () => header((h) => ({ ...h, networks: {} })), /weights/],
    [
      "another network",
      () => withHeader((text) => text.replace('"actor"', '"__proto__"')),
      /networks|weights|acts/,
    ],
    ["an unknown module", () => withHeader((text) => text.replace('"mlp"', '"shell"')), /allowed: /],
    ["huge layers", () => withHeader((text) => text.replace("[16]", "[1e15]")), /networks have|hidden_size/],
    ["layers below nothing", () => withHeader((text) => text.replace("[16]", "[-16]")), /cannot be read/],
    [
      "an unknown activation",
      () => withHeader((text) => text.replaceAll('"ReLU"', '"alert(1)"')),
      /cannot be read/,
    ],
    ["a generation before time", () => header((h) => ({ ...h, generation: -1 })), /generation/],
    ["a weight that is no number", () => lastWeight(0x7e00), /weights that are not finite numbers/],
    ["an infinite weight", () => lastWeight(0xfc00), /weights that are not finite numbers/],
  ])("with %s becomes a sentence", async (_name, text, told) => {
    const reason = await opened(text());
    expect(reason).toMatch(told);
    expect(reason).not.toMatch(/undefined|is not a function|Cannot read prop|\[object/);
  });

  it("with any byte changed plays, or becomes a sentence", async () => {
    const random = new Random({ seed: 5, stream: "links", slot: 0, generation: 0 });
    for (let trial = 0; trial < 30; trial++) {
      const bytes = good();
      // Most of it is weights; the header is what can do harm.
      const at = random.integer(trial % 2 === 0 ? 1200 : bytes.length);
      bytes[at] = random.integer(256);
      const reason = (await opened(packBytes(bytes))) ?? "plays";
      expect(reason).not.toMatch(/no Error|is not a function|Cannot read prop|\[object/);
    }
  });
});
