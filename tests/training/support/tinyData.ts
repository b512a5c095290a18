/** A small data set of CartPole, played at random, as files and arrays. */

import { Random } from "../../../src/evolution/index.ts";
import { make } from "../../../src/rl/environments.ts";
import { memoryFileStore } from "../../../src/storage/index.ts";
import type { TrainerOptions } from "../../../src/training/index.ts";
import { hdf5Bytes, minariBytes, table } from "../../datasets/support/hdf5Files.ts";
import { type Changes, NETWORK } from "./tiny.ts";

/** Episodes of so many steps together, or a few more. */
function episodes(steps: number) {
  const env = make("CartPole-v1");
  const random = new Random({ seed: 3 });
  const found: { observations: number[][]; actions: number[]; rewards: number[]; terminated: boolean }[] = [];
  let taken = 0;
  while (taken < steps) {
    const observations = [Array.from(env.reset({ seed: taken }).observation as ArrayLike<number>)];
    const actions: number[] = [];
    const rewards: number[] = [];
    for (let ended = false; !ended; ) {
      const action = random.uniform() < 0.5 ? 0 : 1;
      const step = env.step(action);
      actions.push(action);
      rewards.push(Number(step.reward));
      observations.push(Array.from(step.observation as ArrayLike<number>));
      ended = Boolean(step.terminated) || Boolean(step.truncated);
    }
    taken += actions.length;
    found.push({ observations, actions, rewards, terminated: true });
  }
  return found;
}

export const EPISODES = episodes(150);
/** Steps in them. */
export const STEPS = EPISODES.reduce((sum, { actions }) => sum + actions.length, 0);

/** The same as arrays under flat names, each row with its successor. */
export const ARRAYS = {
  observations: EPISODES.flatMap(({ observations }) => observations.slice(0, -1)),
  next_observations: EPISODES.flatMap(({ observations }) => observations.slice(1)),
  actions: EPISODES.flatMap(({ actions }) => actions),
  rewards: EPISODES.flatMap(({ rewards }) => rewards),
  terminals: EPISODES.flatMap(({ actions }) => actions.map((_, i) => (i === actions.length - 1 ? 1 : 0))),
};

/** Steps of random torques in a pendulum: two episodes that a limit ended. */
export const TORQUES = (() => {
  const env = make("Pendulum-v1", { max_episode_steps: 60 });
  const random = new Random({ seed: 5 });
  const found = {
    observations: [] as number[][],
    next_observations: [] as number[][],
    rewards: [] as number[],
  };
  const actions: number[][] = [];
  for (let seed = 0; seed < 2; seed++) {
    let observation = env.reset({ seed }).observation as ArrayLike<number>;
    for (let ended = false; !ended; ) {
      const action = [4 * random.uniform() - 2];
      const step = env.step(Float32Array.from(action));
      found.observations.push(Array.from(observation));
      observation = step.observation as ArrayLike<number>;
      found.next_observations.push(Array.from(observation));
      found.rewards.push(Number(step.reward));
      actions.push(action);
      ended = Boolean(step.truncated);
    }
  }
  const { length } = actions;
  const flags = (of: (i: number) => boolean) => Array.from({ length }, (_, i) => Number(of(i)));
  return {
    ...found,
    actions,
    terminals: flags(() => false),
    timeouts: flags((i) => i % 60 === 59),
  };
})();

/** A store with the data as a Minari folder (`data-v0`) and as a flat file (`flat.hdf5`), and with torques (`torques.hdf5`). */
export async function dataStore() {
  const store = memoryFileStore();
  await store.write("data-v0/data/main_data.hdf5", await minariBytes(EPISODES));
  const flat = await hdf5Bytes((root) => {
    table(root, "observations", { data: Float32Array.from(ARRAYS.observations.flat()), shape: [STEPS, 4] });
    table(root, "next_observations", {
      data: Float32Array.from(ARRAYS.next_observations.flat()),
      shape: [STEPS, 4],
    });
    table(root, "actions", { data: Int32Array.from(ARRAYS.actions), shape: [STEPS] });
    table(root, "rewards", { data: Float32Array.from(ARRAYS.rewards), shape: [STEPS] });
    table(root, "terminals", { data: Uint8Array.from(ARRAYS.terminals), shape: [STEPS] });
  });
  await store.write("flat.hdf5", flat);
  const torques = await hdf5Bytes((root) => {
    for (const [name, values] of Object.entries(TORQUES)) {
      const width = Array.isArray(values[0]) ? [values[0].length] : [];
      table(root, name, { data: Float32Array.from(values.flat()), shape: [values.length, ...width] });
    }
  });
  await store.write("torques.hdf5", torques);
  return store;
}

/** Conservative Q-learning from the Minari folder, 60 learning steps a generation. */
export const cqn = ({ algorithm, training, ...rest }: Changes = {}): TrainerOptions =>
  ({
    algorithm: { name: "CQN", batch_size: 8, lr: 0.01, ...algorithm },
    environment: { env_type: "offline", name: "CartPole-v1", num_envs: 4, dataset_path: "data-v0" },
    training: { pop_size: 2, max_steps: 180, evo_steps: 60, eval_steps: 50, ...training },
    network: NETWORK,
    ...rest,
    // Tests also give options that exclude each other, which changes cannot tell.
  }) as TrainerOptions;

/** Any algorithm from the torques, or from the choices of {@link cqn}. */
export const fromData = (
  algorithm: object,
  { isChoice = false, fields = {}, training, ...rest }: Changes & DataChanges = {},
): TrainerOptions =>
  ({
    ...cqn({ training, ...rest } as Changes),
    algorithm: { batch_size: 8, ...algorithm },
    environment: {
      env_type: "offline",
      name: isChoice ? "CartPole-v1" : "Pendulum-v1",
      num_envs: 4,
      dataset_path: isChoice ? "flat.hdf5" : "torques.hdf5",
      ...fields,
    },
    // As for `cqn`.
  }) as TrainerOptions;

interface DataChanges {
  readonly isChoice?: boolean;
  /** Of the environment section. */
  readonly fields?: object;
}
