/** The same learning step in TensorFlow.js with the wasm backend and one thread. Installed on first use. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { AgentState } from "../../src/agents/members.ts";
import { type Batch, type Learner, SETTINGS, SIZES } from "./dqnProblem.ts";

const FOLDER = fileURLToPath(new URL("../tfjs", import.meta.url));

/** An opaque TensorFlow.js tensor. */
interface Tensor {
  readonly shape: readonly number[];
  dataSync(): Float32Array;
}
interface Variable extends Tensor {
  assign(value: Tensor): void;
}
/** The part of TensorFlow.js that the step uses. Its own types exist only once it is installed. */
interface Tfjs {
  setBackend(name: string): Promise<boolean>;
  ready(): Promise<void>;
  tensor(values: Float32Array, shape: readonly number[]): Tensor;
  tensor1d(values: Int32Array, dtype: "int32"): Tensor;
  scalar(value: number): Tensor;
  variable(value: Tensor): Variable;
  oneHot(indices: Tensor, depth: number): Tensor;
  cast(x: Tensor, dtype: "float32"): Tensor;
  matMul(a: Tensor, b: Tensor): Tensor;
  add(a: Tensor, b: Tensor): Tensor;
  sub(a: Tensor, b: Tensor): Tensor;
  mul(a: Tensor, b: Tensor): Tensor;
  relu(x: Tensor): Tensor;
  max(x: Tensor, axis: number): Tensor;
  sum(x: Tensor, axis: number): Tensor;
  square(x: Tensor): Tensor;
  mean(x: Tensor): Tensor;
  tidy<T>(body: () => T): T;
  readonly train: {
    adam(
      lr: number,
      beta1: number,
      beta2: number,
      epsilon: number,
    ): { minimize(loss: () => Tensor, returnCost: boolean, variables: readonly Variable[]): Tensor | null };
  };
}
interface WasmBackend {
  setThreadsCount(count: number): void;
}

async function loadTfjs(): Promise<Tfjs> {
  if (!existsSync(path.join(FOLDER, "node_modules")))
    execFileSync("npm", ["ci", "--no-audit", "--no-fund", "--prefix", FOLDER], { stdio: "inherit" });
  const require = createRequire(path.join(FOLDER, "package.json"));
  const tf: Tfjs = require("@tensorflow/tfjs-core");
  // The Node build does not include the gradients. This import registers them in the registry that all builds
  // share.
  require("@tensorflow/tfjs-core/dist/register_all_gradients");
  const wasm: WasmBackend = require("@tensorflow/tfjs-backend-wasm");
  wasm.setThreadsCount(1);
  await tf.setBackend("wasm");
  await tf.ready();
  return tf;
}

export async function tfjsDqn(agent: AgentState, batch: Batch): Promise<Learner> {
  const tf = await loadTfjs();
  const { inputs, hidden, actions, batch: rows } = SIZES;
  const { lr, gamma, tau } = SETTINGS;
  const shapes = [[inputs, hidden], [hidden], [hidden, hidden], [hidden], [hidden, actions], [actions]];
  const weights = Object.values(agent.networks.actor?.tensors ?? {});
  const copy = () => weights.map((values, i) => tf.variable(tf.tensor(values.slice(), shapes[i] ?? [])));
  const [online, target] = [copy(), copy()];
  const forward = (parameters: readonly Variable[], x: Tensor): Tensor => {
    const [w1, b1, w2, b2, w3, b3] = parameters as [
      Variable,
      Variable,
      Variable,
      Variable,
      Variable,
      Variable,
    ];
    const dense = (input: Tensor, w: Variable, b: Variable) => tf.add(tf.matMul(input, w), b);
    return dense(tf.relu(dense(tf.relu(dense(x, w1, b1)), w2, b2)), w3, b3);
  };
  const obs = tf.tensor(batch.obs, [rows, inputs]);
  const next_obs = tf.tensor(batch.next_obs, [rows, inputs]);
  const chosen = tf.cast(tf.oneHot(tf.tensor1d(batch.action, "int32"), actions), "float32");
  const reward = tf.tensor(batch.reward, [rows]);
  const discount = tf.tensor(
    batch.done.map((done) => gamma * (1 - done)),
    [rows],
  );
  const rate = tf.scalar(tau);
  const adam = tf.train.adam(lr, 0.9, 0.999, 1e-8);

  const learn = (withLoss: boolean): number =>
    tf.tidy(() => {
      const y = tf.add(reward, tf.mul(discount, tf.max(forward(target, next_obs), 1)));
      const loss = () => tf.mean(tf.square(tf.sub(tf.sum(tf.mul(forward(online, obs), chosen), 1), y)));
      const cost = adam.minimize(loss, withLoss, online);
      target.forEach((t, i) => {
        t.assign(tf.add(t, tf.mul(tf.sub(online[i] as Variable, t), rate)));
      });
      return cost?.dataSync()[0] ?? Number.NaN;
    });
  return { step: () => void learn(false), loss: () => learn(true) };
}
