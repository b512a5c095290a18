// @apart: its programs and devices fill much memory.
import { beforeAll, describe, expect, it } from "vitest";
import { createPopulation } from "../../src/agents/index.ts";
import { makeVector } from "../../src/rl/environments.ts";
import { memoryFileStore } from "../../src/storage/index.ts";
import { Accelerator, LocalTrainer, type TrainerOptions, trainOnPolicy } from "../../src/training/index.ts";
import { keepThreads } from "../workers/inside/support/keptThreads.ts";
import {
  type Changes,
  dqn,
  EVOLUTION,
  ippo,
  NO_MUTATION,
  ppo,
  statesOf,
  type Trained,
  td3,
  trained,
} from "./support/tiny.ts";

keepThreads();

const RATES = { lr_schedule: "cosine", lr_final: 0.1 };
const ALL = { ...RATES, clip_coef_schedule: "linear", ent_coef_schedule: "linear", ent_coef_final: 0.5 };
/** Mutations of a rate, so that members differ in their own ones. */
const mutating = (rate: string) => ({
  ...EVOLUTION,
  mutation: {
    probabilities: { ...NO_MUTATION, no_mut: 0.2, rl_hp_mut: 0.8 },
    rl_hp_selection: { [rate]: { min: 1e-5, max: 0.01, grow_factor: 1.2, shrink_factor: 0.8 } },
  },
});

const outcome = ({ population, fitnesses, state }: Trained) => ({
  members: statesOf(population),
  fitnesses,
  elite: state.elite,
  generation: state.generation,
});

type Run = (changes: Changes) => TrainerOptions;
const lander: Run = ({ training, ...rest }) => ({
  ...dqn({ ...rest, training: { ...training, eval_steps: 20 } }),
  environment: { env_type: "gym", name: "LunarLander-v3", num_envs: 4 },
});
const CASES: readonly [name: string, run: Run, algorithm: object, rate: string][] = [
  ["PPO", ppo, ALL, "lr"],
  ["TD3", td3, RATES, "lr_actor"],
  ["IPPO, whose members share the steps", ippo, ALL, "lr"],
  ["DQN in an environment that JavaScript steps", lander, RATES, "lr"],
];

describe.each(CASES)("a run of %s with schedules", (_name, run, algorithm, rate) => {
  const options = (changes: Changes) => run({ ...mutating(rate), algorithm, ...changes });
  const training = { pop_size: 3 };
  let here: Trained;
  beforeAll(async () => {
    here = await trained(options({ training, seed: 7 }));
  });

  it("has the same bits in two workers", async () => {
    const accelerator = new Accelerator({ workers: 2 });
    expect(outcome(await trained(options({ training, seed: 7, accelerator })))).toEqual(outcome(here));
  });

  it("has the same bits when it is killed and resumed", async () => {
    const store = memoryFileStore();
    const { recorder, reason } = await trained(options({ training, seed: 7, store }), {
      checkpoint_steps: 1,
      checkpoint_path: "c",
      watch: (event, training) => {
        if (event.event === "generation" && event.generation === 1) setImmediate(() => training.stop());
      },
    });
    expect(reason).toBe("stopped");
    const resume_from_checkpoint = recorder.checkpoints.at(-1) as string;
    const resumed = await trained(options({ training, store, resume_from_checkpoint }));
    expect(outcome(resumed)).toEqual(outcome(here));
  });

  it("mutates and reports the members' own rates, and the scheduled ones beside them", () => {
    const { generations } = here.recorder;
    const changes = generations.flatMap(({ lineage }) =>
      lineage.flatMap(({ hyperparameters }) => Object.values(hyperparameters)),
    );
    expect(changes.length).toBeGreaterThan(0);
    for (const { from, to } of changes) {
      const factor = Number(to) / Number(from);
      expect(Math.min(Math.abs(factor - 1.2), Math.abs(factor - 0.8))).toBeLessThan(1e-9);
    }
    const last = generations.at(-1)?.members ?? [];
    expect(last).toHaveLength(3);
    for (const { hyperparameters, metrics } of last) {
      const share = Number(metrics[`scheduled_${rate}`]) / Number(hyperparameters[rate]);
      expect(share).toBeGreaterThan(0.09);
      expect(share).toBeLessThan(0.5);
    }
  });
});

describe("a schedule", () => {
  const still = (algorithm: object, training: object = {}) =>
    trained(ppo({ algorithm, training: { pop_size: 1, ...training } }));
  const networks = ({ state }: Trained) => state.members.map((member) => member.networks);

  it("of factor 1 ends with the bits of a run without, and any other does not", async () => {
    const plain = networks(await still({}));
    expect(networks(await still({ lr_schedule: "linear", lr_final: 1 }))).toEqual(plain);
    expect(networks(await still({ lr_schedule: "linear", lr_final: 0.5 }))).not.toEqual(plain);
    expect(networks(await still({ ent_coef_schedule: "cosine", ent_coef_final: 3 }))).not.toEqual(plain);
  });

  it("depends on the steps, and not on where generations end", async () => {
    const told = async (evo_steps: number) => {
      const { recorder } = await still({ lr_schedule: "linear", lr_final: 0.4 }, { evo_steps });
      return recorder.generations.map(({ members: [member] }) => ({
        lr: member?.hyperparameters.lr,
        scheduled: Number(member?.metrics.scheduled_lr) * 1000,
      }));
    };
    // Six learning phases of 64 steps; each generation reports its last one.
    const [whole, thirds] = [await told(384), await told(128)];
    expect(whole.map(({ scheduled }) => scheduled)).toEqual([expect.closeTo(0.5, 6)]);
    expect(thirds.map(({ scheduled }) => scheduled)).toEqual(
      [0.9, 0.7, 0.5].map((lr) => expect.closeTo(lr, 6)),
    );
    expect([...whole, ...thirds].every(({ lr }) => lr === 0.001)).toBe(true);
  });

  it("of members that share the steps of the run ends with it", async () => {
    const algorithm = { lr_schedule: "linear", lr_final: 0.4 };
    const { recorder } = await trained(ippo({ algorithm }));
    const told = recorder.generations.map(({ members }) =>
      members.map(({ metrics }) => Number(metrics.scheduled_lr)),
    );
    const expected = [0.9, 0.7, 0.5].map((lr) => expect.closeTo(lr / 1000, 8));
    expect(told).toEqual(expected.map((lr) => [lr, lr]));
  });

  it("of an extended run is spread over its new steps", async () => {
    const store = memoryFileStore();
    const algorithm = { lr_schedule: "linear", lr_final: 0 };
    const short = await trained(ppo({ algorithm, training: { pop_size: 1, max_steps: 256 }, store }), {
      checkpoint_steps: 1,
    });
    const path = short.recorder.checkpoints.at(-1) as string;
    const longer = (max_steps: number) =>
      trained(ppo({ training: { pop_size: 1, max_steps }, store, resume_from_checkpoint: path }));
    const told = ({ recorder }: Trained) =>
      recorder.generations.map(({ members: [member] }) => Number(member?.metrics.scheduled_lr) * 1000);
    const near = (values: readonly number[]) => values.map((lr) => expect.closeTo(lr, 6));
    // The last phase starts 64 steps before each end.
    expect(told(short)).toEqual(near([0.75, 0.25]));
    expect(told(await longer(512))).toEqual(near([1 - 320 / 512, 1 - 448 / 512]));
  });

  it("is missing from members, checkpoints and files where it is constant", async () => {
    const { state } = await still({});
    const names = Object.keys(state.members[0]?.hyperparameters ?? {});
    expect(names.filter((name) => name.endsWith("_schedule") || name.endsWith("_final"))).toEqual([]);
  });

  it("needs the end of the run", async () => {
    const { training, ...rest } = ppo({ algorithm: RATES });
    const { max_steps: _, ...open } = training as { max_steps?: number };
    const message =
      "training.max_steps: missing; lr_schedule: cosine is spread over the run, so say how many steps it has";
    expect(() => new LocalTrainer({ ...rest, training: open })).toThrow(message);

    const env = makeVector("CartPole-v1", 2);
    const { single_observation_space: observation_space, single_action_space: action_space } = env;
    const algorithm = { name: "PPO", lr_schedule: "linear" } as const;
    const pop = createPopulation({ algorithm, observation_space, action_space, population_size: 1 });
    const given = { env, env_name: "CartPole-v1", algo: "PPO", pop, verbose: false } as const;
    await expect(trainOnPolicy(given)).rejects.toThrow(
      "max_steps: missing; lr_schedule: linear is spread over the run, so say how many steps it has",
    );
  });
});
