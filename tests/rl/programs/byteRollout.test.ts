/** Roll-outs of images, which lie on devices and on the host as bytes. */
import { describe, expect, it } from "vitest";
import { WasmDevice } from "../../../src/kernels/wasm/device.ts";
import { PPO } from "../../../src/rl/agents/PPO.ts";
import { CompiledVectorEnvironment } from "../../../src/rl/environments/CompiledVectorEnvironment.ts";
import { prepareProgram } from "../../../src/rl/environments/index.ts";
import { observationField } from "../../../src/rl/programs/replayFields.ts";
import { hostProgram } from "../../../src/rl/runtime/programSet.ts";
import { unpackRows } from "../../../src/rl/runtime/replayRows.ts";
import { Box, Discrete, MultiBinary, MultiDiscrete, Tuple } from "../../../src/rl/spaces/index.ts";
import type { AlgoSpecInput } from "../../../src/specs/index.ts";
import { agentOf } from "../support/agents.ts";
import { clockedPictures, pictureEnvironment } from "../support/pictures.ts";
import { compiledTurn, hostTurn } from "../support/turns.ts";

const [bytes, numbers] = [pictureEnvironment("uint8"), pictureEnvironment("float32")];
const clocked = [clockedPictures("uint8"), clockedPictures("float32")] as const;
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

describe("images beside choices", () => {
  const seeing = (env: typeof bytes, spec: AlgoSpecInput) => {
    const encoder_config = { arch: "multiinput", latent_dim: 16, cnn_config: convolutions };
    const head_config = { arch: "mlp", hidden_size: [16] };
    return agentOf(spec, { ...env, network: { latent_dim: 16, encoder_config, head_config }, seed: 2 });
  };

  it.each<AlgoSpecInput>([
    { name: "PPO", batch_size: 10, learn_step: 36, lr: 1e-2 },
    { name: "DQN", batch_size: 8, learn_step: 4, lr: 1e-2 },
  ])("are bytes together, and $name learns the same to the bit", (spec) => {
    const [kept, plain] = clocked.map((env) => compiledTurn(seeing(env, spec), env, TURN));
    expect(kept?.learn_steps).toBeGreaterThan(0);
    expect(kept?.agent).toEqual(plain?.agent);
    expect(kept?.fitness).toBe(plain?.fitness);
    const [obs, asNumbers] = [kept, plain].map((turn) => turn?.off_policy?.written.rows.obs);
    if (!obs || !asNumbers) return;
    expect([obs.length, asNumbers.length]).toEqual([72 * 8, 72 * 31]);
    expect(unpackRows(obs, 31)).toEqual(asNumbers);
  });

  it("stay numbers beside what has fractions, or is larger than a byte", () => {
    const picture = new Box({ low: 0, high: 255, shape: [5, 3, 2], dtype: "uint8" });
    const dtypeOf = (beside: Box | Discrete | MultiDiscrete | MultiBinary) =>
      observationField(new Tuple([picture, beside])).dtype;
    expect(dtypeOf(new MultiBinary(3))).toBe("u8");
    expect(dtypeOf(new MultiDiscrete([256, 2]))).toBe("u8");
    expect(dtypeOf(new Discrete(256))).toBe("u8");
    expect(dtypeOf(new Discrete(256, { start: 1 }))).toBe("f32");
    expect(dtypeOf(new Discrete(3, { start: -1 }))).toBe("f32");
    expect(dtypeOf(new MultiDiscrete([257]))).toBe("f32");
    expect(dtypeOf(new Box({ low: 0, high: 1, shape: [2] }))).toBe("f32");
    expect(observationField(new Tuple([new Discrete(3)])).dtype).toBe("f32");
  });
});

describe("a host's roll-out of images", () => {
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

  it("refuses what is no byte", () => {
    const player = ppo();
    const broken = picture.with(3, 0.5);
    expect(() => player.makeBuffer(1).add(step(broken))).toThrow(
      "RolloutBuffer.add obs: found 0.5, allowed whole numbers 0 to 255",
    );
    expect(() => player.learn({ ...step(picture), num_envs: 1, next_obs: picture.with(0, 256) })).toThrow(
      "rollout.next_obs: found 256, allowed whole numbers 0 to 255",
    );
  });
});
