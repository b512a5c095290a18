/** Rollouts of images, which are stored as bytes on devices and on the host. */
import { describe, expect, it } from "vitest";
import { PPO } from "../../../src/agents/index.ts";
import { hostProgram, packRows, unpackRows } from "../../../src/agents/members.ts";
import { WasmDevice } from "../../../src/kernels/devices.ts";
import type { AlgoSpecInput } from "../../../src/manifests/index.ts";
import { CompiledVectorEnvironment, prepareProgram } from "../../../src/rl/environments.ts";
import { numbersIn, observationField, rowWords } from "../../../src/rl/programs.ts";
import { Box, Discrete, MultiBinary, MultiDiscrete, Tuple } from "../../../src/rl/spaces.ts";
import { agentOf } from "../support/agents.ts";
import { clockedPictures, GAUGED, gaugedPictures, pictureEnvironment } from "../support/pictures.ts";
import { compiledTurn, hostTurn } from "../support/turns.ts";

const [bytes, numbers] = [pictureEnvironment("uint8"), pictureEnvironment("float32")];
const clocked = [clockedPictures("uint8"), clockedPictures("float32")] as const;
const gauged = [gaugedPictures("uint8"), gaugedPictures("float32")] as const;
const convolutions = { channel_size: [5], kernel_size: [2], stride_size: [1], min_channel_size: 4 };
const ENCODERS = {
  "a perceptron": { arch: "mlp", hidden_size: [16] },
  "a CNN": { arch: "cnn", ...convolutions },
  "a CNN with memory": { arch: "cnn_lstm", ...convolutions, hidden_state_size: 8, num_layers: 1 },
} as const;

type Kind = keyof typeof ENCODERS;
const agent = (kind: Kind, env: typeof bytes) => {
  const encoder_config = ENCODERS[kind];
  const head_config = { arch: "mlp", hidden_size: [16] };
  const recurrent = encoder_config.arch === "cnn_lstm";
  return agentOf(
    { name: "PPO", batch_size: 10, learn_step: 36, update_epochs: 2, lr: 1e-2, recurrent },
    { ...env, network: { latent_dim: 16, encoder_config, head_config }, seed: 2 },
  );
};

const TURN = { num_envs: 3, evo_steps: 72 };

describe.each(Object.keys(ENCODERS) as Kind[])("%s on images", (kind) => {
  it("learns the same to the bit, whether pictures are kept as bytes or as numbers", () => {
    const [kept, plain] = [bytes, numbers].map((env) => compiledTurn(agent(kind, env), env, TURN));
    expect(kept?.learn_steps).toBeGreaterThan(0);
    expect(kept).toEqual(plain);
    expect(kept?.agent.networks).not.toEqual(agent(kind, bytes).networks);
  });

  it("learns the same to the bit where the host steps", () => {
    const [kept, plain] = [bytes, numbers].map((env) =>
      hostTurn(agent(kind, env), new CompiledVectorEnvironment(env, 3, prepareProgram), TURN),
    );
    expect(kept?.learn_steps).toBeGreaterThan(0);
    expect(kept).toEqual(plain);
  });
});

const seeing = (env: typeof bytes, spec: AlgoSpecInput) => {
  const encoder_config = { arch: "multiinput", latent_dim: 16, cnn_config: convolutions };
  const head_config = { arch: "mlp", hidden_size: [16] };
  return agentOf(spec, { ...env, network: { latent_dim: 16, encoder_config, head_config }, seed: 2 });
};
const PPO_SPEC: AlgoSpecInput = { name: "PPO", batch_size: 10, learn_step: 36, lr: 1e-2 };

describe.each([
  { beside: "choices", envs: clocked, words: 8 },
  { beside: "fractions", envs: gauged, words: GAUGED.words },
])("images beside $beside", ({ envs, words }) => {
  it.each<AlgoSpecInput>([
    PPO_SPEC,
    { name: "DQN", batch_size: 8, learn_step: 4, lr: 1e-2 },
    { name: "RainbowDQN", batch_size: 8, learn_step: 4, lr: 1e-2, v_min: 0, v_max: 10 },
  ])("are bytes, and $name learns the same to the bit", (spec) => {
    const [kept, plain] = envs.map((env) => compiledTurn(seeing(env, spec), env, TURN));
    expect(kept?.learn_steps).toBeGreaterThan(0);
    expect(kept?.agent).toEqual(plain?.agent);
    expect(kept?.fitness).toBe(plain?.fitness);
    const [obs, asNumbers] = [kept, plain].map((turn) => turn?.off_policy?.written.rows.obs);
    if (!obs || !asNumbers) return;
    const field = observationField(envs[0].observation_space);
    expect([obs.length, asNumbers.length]).toEqual([72 * words, 72 * numbersIn(field.shape)]);
    expect(unpackRows(obs, field)).toEqual(asNumbers);
    expect(packRows(asNumbers, field)).toEqual(obs);
  });

  it("are bytes where the host steps, and PPO learns the same to the bit", () => {
    const [kept, plain] = envs.map((env) =>
      hostTurn(seeing(env, PPO_SPEC), new CompiledVectorEnvironment(env, 3, prepareProgram), TURN),
    );
    expect(kept?.learn_steps).toBeGreaterThan(0);
    expect(kept).toEqual(plain);
    const { states } = hostProgram(seeing(envs[0], PPO_SPEC), envs[0], "learn");
    expect(states.get("rollout.obs")).toMatchObject({ dtype: "u32", shape: [{}, {}, words] });
  });
});

describe("what of an observation lies as bytes", () => {
  const picture = new Box({ low: 0, high: 255, shape: [5, 3, 2], dtype: "uint8" });
  const fraction = new Box({ low: 0, high: 1, shape: [2] });

  it.each([
    ["whole numbers up to 255", new MultiDiscrete([256, 2]), [{ start: 0, size: 32 }]],
    ["flags", new MultiBinary(3), [{ start: 0, size: 33 }]],
    ["a choice up to 255", new Discrete(256), [{ start: 0, size: 31 }]],
    ["a choice up to 256", new Discrete(256, { start: 1 }), [{ start: 0, size: 30 }]],
    ["a choice from -1", new Discrete(3, { start: -1 }), [{ start: 0, size: 30 }]],
    ["whole numbers up to 256", new MultiDiscrete([257]), [{ start: 0, size: 30 }]],
    ["fractions", fraction, [{ start: 0, size: 30 }]],
  ])("beside a picture: %s", (_what, beside, bytes) => {
    expect(observationField(new Tuple([picture, beside]))).toEqual({
      shape: new Tuple([picture, beside]).shape,
      dtype: "f32",
      bytes,
    });
  });

  it("is nothing without a picture, and all runs between what does not fit", () => {
    expect(observationField(new Tuple([new Discrete(3)])).bytes).toEqual([]);
    expect(observationField(new Tuple([fraction, new MultiBinary(9)])).bytes).toEqual([]);
    const field = observationField(gauged[0].observation_space);
    expect(field.bytes).toEqual([
      { start: 0, size: 1 },
      { start: 3, size: 31 },
    ]);
    expect(rowWords(field)).toBe(GAUGED.words);
  });
});

describe("a host's rollout of images", () => {
  const ppo = () =>
    new PPO({
      state: agent("a perceptron", bytes),
      observation_space: bytes.observation_space,
      action_space: bytes.action_space,
      hp_config: null,
      device: new WasmDevice(),
      seed: 1,
    });
  const step = (obs: ArrayLike<number>) => ({
    obs,
    next_obs: obs,
    action: [0],
    log_prob: [0],
    reward: [1],
    terminated: [0],
    done: [0],
  });
  const picture = Array.from({ length: 30 }, (_, i) => 8 * i);

  it("takes a byte for each number, in the buffer and in the learning program", () => {
    const player = ppo();
    const buffer = player.makeBuffer(1);
    buffer.add(step(picture));
    expect(buffer.rollout().obs).toEqual(Uint8Array.from(picture));
    const { states } = hostProgram(player.state, bytes, "learn");
    for (const field of ["rollout.obs", "rollout.next_obs"])
      expect(states.get(field)).toMatchObject({ dtype: "u32", shape: [{}, {}, 8] });
  });

  it("takes bytes and words where images are beside fractions, and gives back the numbers", () => {
    const [env] = gauged;
    const agentState = seeing(env, PPO_SPEC);
    const { observation_space, action_space } = env;
    const spaces = { observation_space, action_space };
    const player = () =>
      new PPO({ state: agentState, ...spaces, hp_config: null, device: new WasmDevice(), seed: 1 });
    const rowOf = (k: number) =>
      Float32Array.from([1, k + 0.1, -k / 3, ...picture.map((x) => (x + k) % 256), k, 0.7]);
    const rollout = (k: number) => ({ ...step(rowOf(k)), next_obs: rowOf(k + 1) });
    const learner = player();
    const buffer = learner.makeBuffer(1);
    for (const k of [2, 3, 4]) buffer.add(rollout(k));
    expect(buffer.stored().obs).toEqual(
      packRows(
        [2, 3, 4].flatMap((k) => [...rowOf(k)]),
        observationField(observation_space),
      ),
    );
    const { obs, next_obs } = buffer.rollout();
    expect(buffer.stored().obs.length).toBe(3 * GAUGED.words);
    expect(obs).toEqual(Float32Array.from([2, 3, 4].flatMap((k) => [...rowOf(k)])));
    expect(next_obs).toEqual(Float32Array.from([3, 4, 5].flatMap((k) => [...rowOf(k)])));
    // Learning from the buffer equals learning from its numbers.
    const other = player();
    expect(learner.learn(buffer)).toEqual(other.learn(buffer.rollout()));
    expect(learner.state.networks).toEqual(other.state.networks);
    const broken = rowOf(2).with(5, 0.5);
    expect(() => buffer.add(step(broken))).toThrow(
      "RolloutBuffer.add obs.picture[2] of lane 0: found 0.5, allowed whole numbers 0 to 255",
    );
    expect(() => learner.learn({ ...step(broken), num_envs: 1 })).toThrow(
      "rollout.obs.picture[2] of step 0, lane 0: found 0.5, allowed whole numbers 0 to 255",
    );
  });

  it("refuses what is no byte", () => {
    const player = ppo();
    const broken = picture.with(3, 0.5);
    expect(() => player.makeBuffer(1).add(step(broken))).toThrow(
      "RolloutBuffer.add obs[3] of lane 0: found 0.5, allowed whole numbers 0 to 255",
    );
    expect(() => player.learn({ ...step(picture), num_envs: 1, next_obs: picture.with(0, 256) })).toThrow(
      "rollout.next_obs[0] of step 0, lane 0: found 256, allowed whole numbers 0 to 255",
    );
  });
});
