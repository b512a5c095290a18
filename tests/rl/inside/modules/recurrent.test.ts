import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { resizeNetwork } from "../../../../src/agents/members.ts";
import { Random } from "../../../../src/evolution/random.ts";
import { type Device, grad, state, sumAll, type Tensor, trace } from "../../../../src/kernels/index.ts";
import type { ResolvedEncoder } from "../../../../src/manifests/index.ts";
import { Network } from "../../../../src/rl/contract.ts";
import {
  applyMethod,
  bindNetwork,
  initNetwork,
  type NetworkState,
  networkMethods,
  stochasticActor,
} from "../../../../src/rl/networks.ts";
import { Box, Discrete, flatSize, type Space } from "../../../../src/rl/spaces.ts";
import { devices } from "../../../kernels/support/devices.ts";
import { type Buffers, runOnDevice, runOnReference } from "../../../kernels/support/run.ts";
import { networkSettings, numbers } from "../support/settings.ts";

const recurrent = {
  hidden_state_size: 9,
  num_layers: 2,
  min_hidden_state_size: 4,
  max_hidden_state_size: 64,
  min_layers: 1,
  max_layers: 3,
  dropout: 0,
};
const LSTM: ResolvedEncoder = { arch: "lstm", ...recurrent };
const CNN_LSTM: ResolvedEncoder = {
  arch: "cnn_lstm",
  ...recurrent,
  output_activation: null,
  channel_size: [5],
  kernel_size: [2],
  stride_size: [1],
  activation: "ReLU",
  layer_norm: false,
  init_layers: true,
  min_hidden_layers: 1,
  max_hidden_layers: 6,
  min_channel_size: 4,
  max_channel_size: 64,
};

const STEPS = 4;
const LANES = 3;

function networkOf(encoder_config: ResolvedEncoder, space: Space): NetworkState {
  const data = stochasticActor(space, new Discrete(2), networkSettings({ encoder_config }));
  const random = new Random({ seed: 3 });
  const tensors = Object.fromEntries(
    Object.entries(initNetwork(data, { seed: 2 })).map(([name, values]) => [
      name,
      values.map((v) => v + 0.3 * random.normal()),
    ]),
  );
  return { data, tensors };
}

const memoryOf = (network: Network): Tensor[] =>
  network.memory().map(({ name, width }) => state(`memory.${name}`, [LANES, width]).read());

/** Latent vectors [steps, lanes, latent] of a whole sequence. */
const sequenceProgram = ({ data }: NetworkState, inputs: number) =>
  trace("sequence", () => {
    const network = new Network(data, "net", { dims: "net" });
    const y = network.sequence(state("x", [STEPS, LANES, inputs]).read(), memoryOf(network));
    state("y", y.shape).write(y);
  });

/** Latent vectors [lanes, latent] of each step, one after another. */
const stepsProgram = ({ data }: NetworkState, inputs: number) =>
  trace("steps", () => {
    const network = new Network(data, "net", { dims: "net" });
    let memory: readonly Tensor[] = memoryOf(network);
    for (let t = 0; t < STEPS; t++) {
      const step = network.step(state(`x${t}`, [LANES, inputs]).read(), memory);
      state(`y${t}`, step.output.shape).write(step.output);
      memory = step.memory;
    }
  });

function buffers({ data, tensors }: NetworkState, inputs: number): Buffers {
  const random = new Random({ seed: 8 });
  const draw = (n: number) => Array.from({ length: n }, () => random.normal());
  const row = LANES * inputs;
  const x = draw(STEPS * row);
  const binding = bindNetwork(data, "net");
  const width = (binding["net.encoder.h"] ?? binding["net.encoder.lstm.h"]) as number;
  const scope =
    data.encoder !== null && data.encoder !== "shared" && data.encoder.kind === "lstm" ? "" : "lstm.";
  return {
    x,
    ...Object.fromEntries(
      Array.from({ length: STEPS }, (_, t) => [`x${t}`, x.slice(t * row, (t + 1) * row)]),
    ),
    ...Object.fromEntries(
      ["h0", "c0", "h1", "c1"].map((name) => [`memory.encoder.${scope}${name}`, draw(LANES * width)]),
    ),
    ...Object.fromEntries(Object.entries(tensors).map(([name, values]) => [`net.${name}`, [...values]])),
  };
}

const close = (found: readonly number[] | undefined, expected: readonly number[]) =>
  expected.forEach((y, i) => expect(found?.[i]).toBeCloseTo(y, 4));

const cases = [
  ["lstm", LSTM, numbers(4)],
  ["cnn_lstm", CNN_LSTM, new Box({ low: 0, high: 1, shape: [5, 4, 2] })],
] as const;

describe.each(devices)("networks with memory on $name", ({ create }) => {
  let device: Device;
  beforeAll(async () => {
    device = await create();
  });
  afterAll(() => device.close());

  it.each(cases)("%s: a sequence is its steps one after another", async (_kind, encoder, space) => {
    const network = networkOf(encoder, space);
    const inputs = flatSize(space);
    const binding = bindNetwork(network.data, "net");
    const initial = buffers(network, inputs);
    const { y } = await runOnDevice(device, sequenceProgram(network, inputs), binding, initial);
    const steps = runOnReference(stepsProgram(network, inputs), binding, initial, { precision: "f64" });
    close(y, Array.from({ length: STEPS }, (_, t) => steps[`y${t}`] as readonly number[]).flat());
  });
});

describe("networks with memory", () => {
  it.each(cases)("%s: wider states keep what the network computes, gate by gate", (_kind, encoder, space) => {
    const network = networkOf(encoder, space);
    const inputs = flatSize(space);
    const path = networkMethods(network.data)
      .map((method) => method.path)
      .find((name) => /^encoder\.(lstm\.)?add_node$/.test(name)) as string;
    const { data } = applyMethod(network.data, path, { seed: 1 }, { numb_new_nodes: 16 });
    expect(data).not.toBe(network.data);
    const wider = resizeNetwork(network, data, { seed: 4 });
    const before = buffers(network, inputs);
    // New recurrent units are zero, as they are for a lane after a reset.
    const padded = (name: string) => {
      const rows = before[name] as readonly number[];
      return Array.from({ length: LANES }, (_, lane) => [
        ...rows.slice(9 * lane, 9 * lane + 9),
        ...new Array<number>(16).fill(0),
      ]).flat();
    };
    const memory = Object.keys(before).filter((name) => name.startsWith("memory."));
    const after = {
      ...buffers(wider, inputs),
      ...Object.fromEntries(memory.map((name) => [name, padded(name)])),
    };
    const run = (state: NetworkState, values: Buffers) =>
      runOnReference(sequenceProgram(state, inputs), bindNetwork(state.data, "net"), values, {
        precision: "f64",
      }).y;
    close(run(wider, after), run(network, before) as readonly number[]);
  });

  it("start without memory in a plain forward pass", () => {
    const network = networkOf(LSTM, numbers(4));
    const traced = trace("forward", () => {
      const net = new Network(network.data, "net", { dims: "net" });
      const x = state("x0", [LANES, 4]).read();
      const memory = memoryOf(net);
      state("plain", [LANES, 2]).write(net.forward(x));
      state("stepped", [LANES, 2]).write(net.head(net.step(x, memory).output));
    });
    const initial = Object.fromEntries(
      Object.entries(buffers(network, 4)).filter(([name]) => !name.startsWith("memory.")),
    );
    const { plain, stepped } = runOnReference(traced, bindNetwork(network.data, "net"), initial);
    close(plain, stepped as readonly number[]);
  });

  it("give every weight of the recurrent layers a gradient through time", () => {
    const network = networkOf(LSTM, numbers(4));
    const traced = trace("gradient", () => {
      const net = new Network(network.data, "net", { dims: "net" });
      const memory = memoryOf(net);
      const loss = sumAll(net.sequence(state("x", [STEPS, LANES, 4]).read(), memory));
      const names = Object.keys(net.parameters).filter((name) => name.startsWith("encoder.lstm."));
      const gradients = grad(
        loss,
        names.map((name) => net.parameter(name)),
      );
      names.forEach((name, i) => {
        const gradient = gradients[i] as Tensor;
        state(`gradient.${name}`, gradient.shape).write(gradient);
      });
    });
    const found = runOnReference(traced, bindNetwork(network.data, "net"), buffers(network, 4));
    const gradients = Object.entries(found).filter(([name]) => name.startsWith("gradient."));
    expect(gradients).toHaveLength(8);
    for (const [, values] of gradients) expect(values.some((g) => g !== 0)).toBe(true);
  });

  it("are no others", () => {
    const network = stochasticActor(numbers(4), new Discrete(2), networkSettings());
    trace("none", () => {
      const net = new Network(network, "net", { dims: "net" });
      expect(net.memory()).toEqual([]);
      const x = state("x", [2, 4]).read();
      expect(() => net.step(x, [])).toThrow(/its encoder is not recurrent/);
      state("y", [2, 2]).write(net.forward(x));
    });
  });
});
