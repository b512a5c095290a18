/** Modules of every kind on WebGPU against wasm: outputs, and the gradients of all parameters. */
// @apart: its programs and devices fill much memory.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { definitionOf } from "../../../../src/agents/index.ts";
import { Random } from "../../../../src/evolution/random.ts";
import { WasmDevice } from "../../../../src/kernels/devices.ts";
import {
  type Binding,
  type Dim,
  evalDim,
  grad,
  mul,
  type Program,
  sizeOf,
  state,
  sumAll,
  sym,
  type Tensor,
  trace,
} from "../../../../src/kernels/index.ts";
import { WebGpuDevice } from "../../../../src/kernels/wgsl/device.ts";
import { EncoderSpec, type ResolvedEncoder } from "../../../../src/manifests/index.ts";
import { duelingData } from "../../../../src/rl/modules/dueling.ts";
import { encoderData } from "../../../../src/rl/networks/encoderData.ts";
import { type ModuleData, mlpData } from "../../../../src/rl/networks.ts";
import { Box, Dict, Discrete, type Space } from "../../../../src/rl/spaces.ts";
import { comparedShaders } from "../../../kernels/support/comparedShaders.ts";
import { type Buffers, runOnDevice } from "../../../kernels/support/run.ts";
import { softwareAdapter } from "../../../kernels/support/softwareAdapter.ts";
import { moduleStates, tensorsOf } from "../../support/runModule.ts";
import { mlpSettings } from "../support/settings.ts";

// Not multiples of 4, so that every loop on either device has a tail.
const BATCH = 5;
const STEPS = 3;
const OUTPUTS = 7;

const vector = new Box({ low: -1, high: 1, shape: [5] });
const image = new Box({ low: 0, high: 1, shape: [7, 6, 3] });
const mixed = new Dict({
  picture: new Box({ low: 0, high: 1, shape: [6, 5, 2] }),
  numbers: new Box({ low: -1, high: 1, shape: [3] }),
  choice: new Discrete(6),
});

const channels = { min_channel_size: 2, max_channel_size: 30 };
const convolutions = { channel_size: [5, 6], kernel_size: [3, 2], stride_size: [1, 2], ...channels };
const layers = { hidden_state_size: 9, num_layers: 2, min_hidden_state_size: 4 };

const encoder = (space: Space, settings: object): ModuleData =>
  // The specification leaves both extractors of a multi-input encoder unresolved; they are set below.
  encoderData(space, OUTPUTS, EncoderSpec.parse(settings) as ResolvedEncoder);

const MODULES: Readonly<Record<ModuleData["kind"], ModuleData>> = {
  mlp: { ...mlpData(5, OUTPUTS, mlpSettings([9, 11], { activation: "PReLU" }), "head"), noise_std: 0.5 },
  dueling: duelingData(5, mlpSettings([9]), { actions: 3, num_atoms: 7, noise_std: 0.5 }),
  simba: encoder(vector, { arch: "simba", hidden_size: 9, num_blocks: 1, scale_factor: 3 }),
  lstm: encoder(vector, { arch: "lstm", ...layers }),
  cnn: encoder(image, { arch: "cnn", ...convolutions, layer_norm: true }),
  cnn_lstm: encoder(image, { arch: "cnn_lstm", ...convolutions, ...layers, num_layers: 1 }),
  resnet: encoder(image, {
    arch: "resnet",
    channel_size: 5,
    kernel_size: 3,
    stride_size: 2,
    num_blocks: 1,
    scale_factor: 2,
    ...channels,
  }),
  multiinput: encoder(mixed, {
    arch: "multiinput",
    latent_dim: 9,
    min_latent_dim: 4,
    vector_space_mlp: true,
    mlp_config: { ...mlpSettings([10]), min_mlp_nodes: 4 },
    cnn_config: convolutions,
  }),
};

interface Result {
  readonly output: Tensor;
  /** Inputs besides the parameters, which also get gradients. */
  readonly inputs: Readonly<Record<string, Tensor>>;
}

/** Applies a module to a batch, with noise for noisy weights. Recurrent modules get sequences with resets. */
function apply(data: ModuleData, params: Readonly<Record<string, Tensor>>): Result {
  const { forward, recurrent } = definitionOf(data);
  const read = (name: string, shape: readonly Dim[]) => state(name, shape).read();
  if (recurrent) {
    const x = read("x", [STEPS, BATCH, data.inputs]);
    const memory = recurrent
      .memory(data, "")
      .map(({ name, symbol }) => read(`memory.${name}`, [BATCH, sym(symbol)]));
    const keep = read("keep", [STEPS, BATCH]);
    const output = recurrent.sequence(data, "", params, x, memory, keep);
    return {
      output,
      inputs: { x, ...Object.fromEntries(memory.map((tensor, i) => [`memory${i}`, tensor])) },
    };
  }
  const x = read("x", [BATCH, data.inputs]);
  const noise = (layer: string, side: string, size: Dim) => read(`noise.${layer}.${side}`, [size]);
  return { output: forward(data, "", params, x, { noise }), inputs: { x } };
}

/** Writes outputs to `output`, and the gradients of their sum weighted by `weights` to `gradient.<name>`. */
const programOf = (data: ModuleData): Program =>
  trace("module", () => {
    const params = moduleStates(data);
    const { output, inputs } = apply(data, params);
    const learned = { ...params, ...inputs };
    const weighted = mul(output, state("weights", output.shape).read());
    const gradients = grad(sumAll(weighted), Object.values(learned));
    state("output", output.shape).write(output);
    for (const [i, name] of Object.keys(learned).entries()) {
      const gradient = gradients[i] as Tensor;
      state(`gradient.${name}`, gradient.shape).write(gradient);
    }
  });

/** Contents of every buffer that the program reads. `keep` is 0 where a lane is reset. */
function contents(data: ModuleData, program: Program, binding: Binding): Buffers {
  const random = new Random({ seed: 5 });
  const scales = new Map(tensorsOf(data).map(({ name, role }) => [`w.${name}`, role === "norm" ? 1 : 0.4]));
  const read = [...program.states.values()].filter(({ name }) => !/^(output$|gradient\.)/.test(name));
  return Object.fromEntries(
    read.map(({ name, shape }) => {
      const draw = (_: unknown, i: number) =>
        name === "keep" ? Math.min(1, i % 4) : (scales.get(name) ?? 1) * random.normal();
      return [name, Array.from({ length: evalDim(sizeOf(shape), binding) }, draw)];
    }),
  );
}

/** Largest difference, relative to the largest expected number or 0.01, whichever is greater. */
function farthest(expected: readonly number[], found: readonly number[]): number {
  const largest = expected.reduce((most, v) => Math.max(most, Math.abs(v)), 0.01);
  return expected.reduce((most, v, i) => Math.max(most, Math.abs(v - (found[i] ?? Number.NaN)) / largest), 0);
}

describe("modules on webgpu against wasm", () => {
  const wasm = new WasmDevice();
  let webgpu: WebGpuDevice;
  beforeAll(async () => {
    webgpu = await WebGpuDevice.create(await softwareAdapter(), { workgroupSize: 32 });
  });
  afterAll(() => {
    webgpu.close();
    wasm.close();
  });

  const assertOnce = comparedShaders(import.meta.url);

  it.each(Object.entries(MODULES))("%s: the same outputs and the same gradients", async (kind, data) => {
    const program = programOf(data);
    await assertOnce(kind, [program], () => compare(data, program));
  });

  async function compare(data: ModuleData, program: Program): Promise<void> {
    const binding = definitionOf(data).widths(data, "");
    const initial = contents(data, program, binding);
    const expected = await runOnDevice(wasm, program, binding, initial);
    const found = await runOnDevice(webgpu, program, binding, initial);
    for (const name of Object.keys(expected).filter((buffer) => !(buffer in initial))) {
      const numbers = expected[name] as readonly number[];
      expect(
        numbers.some((v) => v !== 0),
        `${name} says something`,
      ).toBe(true);
      expect(farthest(numbers, found[name] as readonly number[]), `${name} on webgpu`).toBeLessThanOrEqual(
        1e-4,
      );
    }
  }
});
