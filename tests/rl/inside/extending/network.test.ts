/** A kind of network that rlkit does not have, added as docs/extending/network.md says. */
// @apart: it registers what the library does not have.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { CartPole, registerModule } from "../../../../src/agents/index.ts";
import { policyToOnnx } from "../../../../src/agents/runtime/policyToOnnx.ts";
import { tensorShape } from "../../../../src/evolution/members.ts";
import { state as buffer, trace } from "../../../../src/kernels/index.ts";
import { EncoderSpec, manifestJsonSchema, parseSpec } from "../../../../src/manifests/index.ts";
import { findModule } from "../../../../src/rl/modules/moduleData.ts";
import {
  applyMethod,
  findArchitecture,
  networkMethods,
  networkTensors,
  registerArchitecture,
} from "../../../../src/rl/networks.ts";
import { decodeAgent, encodeAgent } from "../../../../src/training/files.ts";
import { loadModules } from "../../../../src/workers/computing.ts";
import { RuntimeModel } from "../../../support/onnxRuntime.ts";
import { dqn, EVOLUTION, statesOf, trained } from "../../../training/support/tiny.ts";
import { fourier, fourierArchitecture } from "./fourier.ts";

registerArchitecture(fourierArchitecture);
registerModule(fourier);

const encoder_config = { arch: "fourier", num_features: 24 };

it("trains, mutates, is saved and loaded, and exported", async () => {
  const network = { latent_dim: 16, encoder_config, head_config: { arch: "mlp", hidden_size: [8] } };
  // TypeScript knows rlkit's own architectures only.
  const run = await trained(dqn({ network: network as never, ...EVOLUTION }));
  expect(run.reason).toBe("max_steps");
  const [state] = statesOf(run.population);
  const actor = state?.networks.actor;
  if (!state || !actor) throw new Error("the population has no actor");
  expect(actor.data.encoder).toMatchObject({ kind: "fourier" });
  for (const { name } of networkTensors(actor.data))
    expect(actor.tensors[name]?.every(Number.isFinite)).toBe(true);
  const second = Object.entries(state.optimizers.optimizer?.second ?? {});
  expect(second.find(([name]) => name.endsWith("encoder.frequencies.weight"))?.[1].some((v) => v > 0)).toBe(
    true,
  );

  expect(networkMethods(actor.data).map(({ path }) => path)).toContain("encoder.add_node");
  const key = { seed: 1, stream: "test" };
  const grown = applyMethod(actor.data, "encoder.add_node", key, { numb_new_nodes: 16 });
  expect(grown.data).not.toBe(actor.data);

  const bytes = encodeAgent(state);
  const { agent: loaded } = decodeAgent(bytes, "fourier.safetensors");
  expect(loaded.networks).toEqual(state.networks);
  expect(encodeAgent(loaded)).toEqual(bytes);

  const spaces = { observation_space: CartPole.observation_space, action_space: CartPole.action_space };
  const model = await RuntimeModel.load(policyToOnnx(loaded, spaces));
  const values = [0.01, -0.02, 0.03, 0.04];
  const results = await model.run({ observation: { type: "float32", shape: [1, 4], values } });
  expect(results.q_values?.shape).toEqual([1, 2]);
  expect(results.q_values?.values.every(Number.isFinite)).toBe(true);
});

it("trains with an activation that has a parameter of its own", async () => {
  const prelu = { ...encoder_config, output_activation: "PReLU" };
  const network = { latent_dim: 16, encoder_config: prelu, head_config: { arch: "mlp", hidden_size: [8] } };
  const { population } = await trained(dqn({ network: network as never }));
  const [state] = statesOf(population);
  const slope = state?.networks.actor?.tensors["encoder.output_activation.weight"];
  expect(slope).toHaveLength(1);
  expect(slope?.[0]).not.toBe(0.25);
});

it("shows its layers to the histograms of activations", () => {
  const data = fourier.encoder?.(
    { size: () => 4 } as never,
    3,
    parseSpec(EncoderSpec, encoder_config) as never,
  );
  if (!data) throw new Error("fourier makes no encoder");
  const watched: string[] = [];
  trace("watch", () => {
    const params = Object.fromEntries(
      fourier.tensors(data, "", {}).map((spec) => [spec.name, buffer(spec.name, tensorShape(spec)).read()]),
    );
    const x = buffer("x", [2, 4]).read();
    fourier.forward(data, "", params, x, { watch: (layer) => watched.push(layer) });
  });
  expect(watched).toEqual(["frequencies", "output"]);
});

it("stands in the manifest's schema, with its defaults and bounds", () => {
  expect(parseSpec(EncoderSpec, encoder_config)).toEqual({
    arch: "fourier",
    num_features: 24,
    output_activation: "ReLU",
    min_features: 8,
    max_features: 256,
  });
  expect(JSON.stringify(manifestJsonSchema())).toContain("Cosines of the observation.");
  expect(() => parseSpec(EncoderSpec, { ...encoder_config, num_features: 4 })).toThrow(
    /min_features: found 8; must be at most num_features \(4\)/,
  );
});

it("is registered once: again is harmless, another under its name is refused", () => {
  registerArchitecture(fourierArchitecture);
  registerModule(fourier);
  expect(parseSpec(EncoderSpec, encoder_config)).toMatchObject(encoder_config);
  expect(() => registerArchitecture({ ...fourierArchitecture })).toThrow(/"fourier" is already registered/);
  expect(() => registerModule({ ...fourier })).toThrow(/"fourier" is already registered/);
});

it("foreign names are refused with the known ones", () => {
  const known = "mlp, cnn, cnn_lstm, lstm, simba, multiinput, resnet, fourier";
  expect(() => parseSpec(EncoderSpec, { ...encoder_config, arch: "wavelet" })).toThrow(
    `unknown architecture "wavelet"; available: ${known}`,
  );
  expect(() => findArchitecture("wavelet")).toThrow(`available: ${known}`);
  expect(() => findModule("wavelet")).toThrow(/found "wavelet", allowed: mlp, .*, fourier/);
});

/** Lines of code without imports and empty lines, and all names that are imported. */
function codeOf(source: string): { readonly body: string; readonly imported: string[] } {
  const statement = /^import (?:type )?\{([^}]*)\} from ".*";$/gm;
  const imported = [...source.matchAll(statement)].flatMap(([, names = ""]) =>
    names.split(",").map((name) => name.replace(/^\s*type /, "").trim()),
  );
  const body = source
    .replace(statement, "")
    .replace(/\n{2,}/g, "\n")
    .trim();
  return { body, imported: imported.filter((name) => name !== "") };
}

it("docs/extending/network.md has the code that is tested here", () => {
  const page = readFileSync(new URL("../../../../docs/extending/network.md", import.meta.url), "utf8");
  const tested = codeOf(readFileSync(new URL("fourier.ts", import.meta.url), "utf8"));
  const files = [...page.matchAll(/```ts\n\/\/ (fourier\.ts)\n([\s\S]*?)```/g)];
  expect(files.map(([, name]) => name)).toEqual(["fourier.ts", "fourier.ts"]);
  for (const [, , source = ""] of files) {
    const { body, imported } = codeOf(source);
    expect(tested.body).toContain(body);
    for (const name of imported) expect(tested.imported).toContain(name);
  }
});

it("is registered by a module that imports nothing", async () => {
  const code = `export function register({ network, z }) {
    const { defineArchitecture, field, integer, registerArchitecture, registerModule, storedFields, storedSize } = network;
    const settings = { width: field(integer(1).default(8), "Width.") };
    registerArchitecture(defineArchitecture({ arch: "given", description: "Of a module.", settings, rules: [], reads: "vector" }));
    const schema = z.strictObject({ kind: z.literal("given"), inputs: storedSize, outputs: storedSize, ...storedFields(settings) });
    registerModule({ kind: "given", schema });
  }`;
  await loadModules([`data:text/javascript,${encodeURIComponent(code)}`]);
  expect(parseSpec(EncoderSpec, { arch: "given" })).toEqual({ arch: "given", width: 8 });
  const data = { kind: "given", inputs: 2, outputs: 3, width: 4 };
  expect(findModule("given").schema.parse(data)).toEqual(data);
});
