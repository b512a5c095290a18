import { describe, expect, it } from "vitest";
import { EvolvableCNN, EvolvableLSTM, EvolvableMultiInput } from "../../../src/agents/index.ts";
import { givenNetworks } from "../../../src/agents/members.ts";
import { parseAlgorithm } from "../../../src/manifests/index.ts";
import { EvolvableMLP } from "../../../src/rl/networks.ts";
import { Box, Dict, Discrete } from "../../../src/rl/spaces.ts";
import { mixedSpace, moduleOf, OWN_KINDS } from "../../rl/inside/support/moduleKinds.ts";

const image = new Box({ low: 0, high: 1, shape: [14, 15, 2] });
const vector = new Box({ low: -1, high: 1, shape: [4] });
const box = new Box({ low: -1, high: 1, shape: [2] });
const DQN = parseAlgorithm({ name: "DQN" });
const TD3 = parseAlgorithm({ name: "TD3" });

const observed = {
  mlp: vector,
  simba: vector,
  cnn: image,
  resnet: image,
  multiinput: mixedSpace,
};
const perceptron = (num_inputs: number, num_outputs: number) =>
  new EvolvableMLP({ num_inputs, num_outputs, hidden_size: [32] });

describe("networks of the caller's own", () => {
  it.each(OWN_KINDS.filter((kind) => kind !== "lstm"))(
    "may be of kind %s, with copies of its weights",
    (kind) => {
      const actor_network = moduleOf(kind);
      const layout = { observation_space: observed[kind], action_space: new Discrete(3) };
      const { actor } = givenNetworks(DQN, layout, { actor_network });
      expect(actor?.data).toMatchObject({ kind: "q", encoder: null, head: actor_network.data });
      for (const [name, values] of Object.entries(actor_network.parameters())) {
        expect(actor?.tensors[`head_net.${name}`]).toEqual(values);
        expect(actor?.tensors[`head_net.${name}`]).not.toBe(values);
      }
    },
  );

  it("may be both critics of TD3, which read observation and action", () => {
    const layout = { observation_space: vector, action_space: box };
    const critic_networks = [perceptron(6, 1), perceptron(6, 1)];
    const given = givenNetworks(TD3, layout, { critic_networks });
    expect(Object.keys(given)).toEqual(["critic_1", "critic_2"]);
    expect(given.critic_1?.data).toMatchObject({ kind: "continuous_q", latent_dim: 4 });
    const refused = (modules: object) => () => givenNetworks(TD3, layout, modules);
    expect(refused({ critic_network: perceptron(6, 1) })).toThrow(
      "critic_network: TD3 has no such critic; give critic_networks, one for each of critic_1, critic_2",
    );
    expect(refused({ critic_networks: [perceptron(6, 1)] })).toThrow(/^critic_networks: found 1 modules/);
    expect(refused({ critic_networks: [perceptron(6, 1), perceptron(4, 1)] })).toThrow(
      /^critic_networks\[1\]: .*found 4 inputs, allowed 6/,
    );
  });

  it("must have bounds where actions are what they give", () => {
    const layout = { observation_space: vector, action_space: box };
    const given = (output_activation?: "Tanh" | "Sigmoid" | "ReLU") => () =>
      givenNetworks(TD3, layout, {
        actor_network: new EvolvableMLP({
          num_inputs: 4,
          num_outputs: 2,
          hidden_size: [32],
          ...(output_activation && { output_activation }),
        }),
      });
    expect(given("Tanh")).not.toThrow();
    expect(given("Sigmoid")).not.toThrow();
    expect(given()).toThrow(
      "actor_network: output_activation: found none; the actions of a deterministic actor have bounds, allowed: Tanh, Sigmoid, Softmax, GumbelSoftmax",
    );
    expect(given("ReLU")).toThrow('actor_network: output_activation: found "ReLU"');
  });

  it("are refused by one error that names the option where they do not fit", () => {
    const layout = { observation_space: image, action_space: new Discrete(3) };
    const refused =
      (actor_network: EvolvableMLP | EvolvableCNN | EvolvableMultiInput, space = layout) =>
      () =>
        givenNetworks(DQN, space, { actor_network });
    const cnn = new EvolvableCNN({
      input_shape: [2, 15, 14],
      num_outputs: 3,
      channel_size: [16],
      kernel_size: [3],
      stride_size: [1],
    });
    expect(refused(cnn)).toThrow(
      "actor_network: input_shape: found 2 x 15 x 14, allowed 2 x 14 x 15 (channels x height x width of the observation)",
    );
    const vectors = { ...layout, observation_space: vector };
    expect(refused(cnn, vectors)).toThrow(/^actor_network: found a module that reads images/);
    expect(refused(perceptron(4, 2), vectors)).toThrow(/^actor_network: .*found 2 outputs, allowed 3/);
    const wide = new EvolvableMultiInput({ observation_space: mixedSpace, num_outputs: 3 });
    expect(refused(wide, vectors)).toThrow(/^actor_network: .*inputs, allowed 4/);
  });

  it("may not have memory, which nobody would carry", () => {
    const layout = { observation_space: vector, action_space: new Discrete(3) };
    const refused =
      (modules: object, own = DQN) =>
      () =>
        givenNetworks(own, layout, modules);
    expect(refused({ actor_network: moduleOf("lstm") })).toThrow(
      /^actor_network: found a recurrent module.* recurrent: true \(PPO, ES\)/,
    );
    const critic_network = new EvolvableLSTM({ num_inputs: 4, num_outputs: 1, hidden_state_size: 32 });
    const spec = parseAlgorithm({ name: "PPO" });
    expect(refused({ critic_network }, spec)).toThrow(/^critic_network: found a recurrent module/);
  });

  it("read the very parts that are observed", () => {
    const observed = (parts: Record<string, Box | Discrete>) => new Dict(parts);
    const view = new Box({ low: 0, high: 255, shape: [8, 8, 3] });
    const numbers = (size: number) => new Box({ low: -1, high: 1, shape: [size] });
    const made = observed({ view, numbers: numbers(7) });
    const actor_network = new EvolvableMultiInput({
      observation_space: made,
      num_outputs: 3,
      cnn_config: { channel_size: [4], kernel_size: [2], stride_size: [1], min_channel_size: 4 },
    });
    const given = (observation_space: Box | Dict) => () =>
      givenNetworks(DQN, { observation_space, action_space: new Discrete(3) }, { actor_network });
    expect(given(made)).not.toThrow();
    expect(given(observed({ view, numbers: numbers(3), gear: new Discrete(4) }))).toThrow(
      "actor_network: observation_space: found parts view: image 3 x 8 x 8, numbers: 7; allowed view: image 3 x 8 x 8, numbers: 3, gear: 4",
    );
    expect(given(numbers(199))).toThrow(
      /^actor_network: found a module that reads parts \(view: .*\), allowed one for 199 finite numbers /,
    );
  });

  it("are refused beside a recurrent policy, whose encoder has memory", () => {
    const spec = parseAlgorithm({ name: "PPO", recurrent: true });
    const layout = { observation_space: vector, action_space: new Discrete(2) };
    expect(() => givenNetworks(spec, layout, { actor_network: perceptron(4, 2) })).toThrow(
      /^actor_network: found a module, allowed none/,
    );
  });
});
