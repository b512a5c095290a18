/** Runs that are over in a moment: two members with networks of eight. */
import type { ActingAgent, SupportedAgent } from "../../../src/agents/classes.ts";
import type { GenerationReport, TrainingEvent } from "../../../src/training/index.ts";
import { LocalTrainer, type TrainerOptions, type TrainOptions } from "../../../src/training/index.ts";
import type { TrainingRun } from "../../../src/training/loop.ts";
import type { RlKinds, RunState } from "../../../src/training/workloads.ts";

export const NETWORK = {
  latent_dim: 8,
  encoder_config: { hidden_size: [8], min_mlp_nodes: 4, max_mlp_nodes: 96 },
  head_config: { hidden_size: [8], min_mlp_nodes: 4, max_mlp_nodes: 96 },
};

/** Every kind of mutation, and tournaments. */
export const EVOLUTION = {
  mutation: {
    probabilities: {
      no_mut: 0.1,
      arch_mut: 0.4,
      new_layer: 0.3,
      params_mut: 0.3,
      act_mut: 0.1,
      rl_hp_mut: 0.4,
    },
  },
  selection_strategy: { tournament_size: 2, elitism: true },
};

/** Mutations that change nothing. */
export const NO_MUTATION = { no_mut: 1, arch_mut: 0, new_layer: 0, params_mut: 0, act_mut: 0, rl_hp_mut: 0 };

/** Sections whose fields replace those of the tiny run, and options beside them. */
export interface Changes extends Omit<Partial<TrainerOptions>, "algorithm" | "training"> {
  readonly algorithm?: object;
  readonly training?: object;
}

/** Tests also give options that exclude each other, which changes cannot tell. */
const asOptions = (options: Omit<TrainerOptions, never>): TrainerOptions => options as TrainerOptions;

/** Q-learning on four CartPoles, 160 steps a generation, in a memory whose rings go round. */
export const dqn = ({ algorithm, training, ...rest }: Changes = {}): TrainerOptions =>
  asOptions({
    algorithm: { name: "DQN", batch_size: 8, lr: 0.001, learn_step: 4, ...algorithm },
    environment: { env_type: "gym", name: "CartPole-v1", num_envs: 4 },
    training: { pop_size: 2, max_steps: 480, evo_steps: 160, eps_decay: 0.98, ...training },
    network: NETWORK,
    replay_buffer: { kind: "classic", max_size: 400 },
    ...rest,
  });

/**
 * Rainbow with returns over several steps, sampled by priority. beta is at its end from the start: it depends on
 * max_steps, which tests change.
 */
export const rainbow = ({ algorithm, ...rest }: Changes = {}): TrainerOptions => ({
  ...dqn(rest),
  algorithm: {
    name: "RainbowDQN",
    batch_size: 8,
    learn_step: 4,
    num_atoms: 7,
    v_max: 20,
    beta: 1,
    ...algorithm,
  },
  replay_buffer: {
    kind: "classic",
    max_size: 400,
    per_buffer: true,
    n_step_buffer: true,
    n_step_buffer_args: { n_step: 3 },
  },
});

/** Q-learning in hindsight on rows of three bits, which policies solve now and then. */
export const hindsight = (changes: Changes = {}): TrainerOptions => ({
  ...dqn({ ...changes, training: { eval_loop: 4, ...changes.training } }),
  environment: { env_type: "gym", name: "rlkit/BitFlip-v0", num_envs: 4, env_config: { bits: 3 } },
  network: { latent_dim: 8, head_config: NETWORK.head_config },
  replay_buffer: { kind: "classic", max_size: 400, her: {} },
});

/** Twin critics on four pendulums, the policy learning in every third step. */
export const td3 = ({ algorithm, ...rest }: Changes = {}): TrainerOptions => ({
  ...dqn(rest),
  algorithm: { name: "TD3", batch_size: 8, learn_step: 4, policy_freq: 3, ...algorithm },
  environment: { env_type: "gym", name: "Pendulum-v1", num_envs: 4 },
  training: { ...dqn(rest).training, eval_steps: 40 },
});

/** The same with a policy that keeps its entropy, whose weight is learnt. */
export const sac = ({ algorithm, ...rest }: Changes = {}): TrainerOptions => ({
  ...td3(rest),
  algorithm: { name: "SAC", batch_size: 8, learn_step: 4, lr_alpha: 0.01, ...algorithm },
});

/** Policies on four pendulums, two rollouts of 64 steps a generation. */
export const ppo = ({ algorithm, training, ...rest }: Changes = {}): TrainerOptions =>
  asOptions({
    algorithm: { name: "PPO", batch_size: 32, lr: 0.001, learn_step: 64, update_epochs: 2, ...algorithm },
    environment: { env_type: "gym", name: "Pendulum-v1", num_envs: 4 },
    training: { pop_size: 2, max_steps: 384, evo_steps: 128, eval_steps: 40, ...training },
    network: NETWORK,
    ...rest,
  });

/** The same with memory, in sequences that do not divide a rollout. */
export const recurrentPpo = ({ algorithm, ...rest }: Changes = {}): TrainerOptions => ({
  ...ppo({ ...rest, algorithm: { recurrent: true, max_seq_len: 5, batch_size: 6, ...algorithm } }),
  network: { ...NETWORK, encoder_config: { hidden_state_size: 8, num_layers: 1, min_hidden_state_size: 4 } },
});

/** Four copies of policies with memory on CartPoles, and their gradient. */
export const es = ({ algorithm, training, ...rest }: Changes = {}): TrainerOptions =>
  asOptions({
    algorithm: { name: "ES", perturbations: 4, sigma: 0.1, lr: 0.02, recurrent: true, ...algorithm },
    environment: { env_type: "gym", name: "CartPole-v1", num_envs: 4, normalize: { observations: true } },
    training: { pop_size: 2, max_steps: 384, evo_steps: 64, ...training },
    network: {
      ...NETWORK,
      encoder_config: { hidden_state_size: 8, num_layers: 1, min_hidden_state_size: 4 },
    },
    ...rest,
  });

/** Teams of a speaker and a listener in four worlds, twin critics aside. */
export const maddpg = ({ algorithm, ...rest }: Changes = {}): TrainerOptions => ({
  ...dqn(rest),
  algorithm: { name: "MADDPG", batch_size: 8, learn_step: 4, ...algorithm },
  environment: { env_type: "gym", name: "simple_speaker_listener_v4", num_envs: 4 },
});

/** A group that shares networks and acts in numbers, the policy learning in every third step. */
export const matd3 = ({ algorithm, ...rest }: Changes = {}): TrainerOptions => ({
  ...dqn(rest),
  algorithm: { name: "MATD3", batch_size: 8, learn_step: 4, policy_freq: 3, ...algorithm },
  environment: {
    env_type: "gym",
    name: "simple_spread_v3",
    num_envs: 4,
    env_config: { N: 2, continuous_actions: true },
  },
});

/** Teams of the first world learning from rollouts; `max_steps` are those of all members together. */
export const ippo = ({ algorithm, training = {}, ...rest }: Changes = {}): TrainerOptions => {
  const options = ppo({ ...rest, training });
  const { max_steps = 384, pop_size = 2 } = training as { max_steps?: number; pop_size?: number };
  return {
    ...options,
    algorithm: { name: "IPPO", batch_size: 32, lr: 0.001, learn_step: 64, update_epochs: 2, ...algorithm },
    environment: { env_type: "gym", name: "simple_speaker_listener_v4", num_envs: 4 },
    training: { ...options.training, max_steps: max_steps * pop_size },
  };
};

const evolving =
  (run: (changes?: Changes) => TrainerOptions) =>
  (changes: Changes = {}): TrainerOptions =>
    run({ ...EVOLUTION, ...changes });

/** Tiny runs of algorithms, whose members evolve. */
export const RUNS: Readonly<Record<string, (changes?: Changes) => TrainerOptions>> = {
  DQN: evolving(dqn),
  "DQN-hindsight": evolving(hindsight),
  RainbowDQN: evolving(rainbow),
  TD3: evolving(td3),
  SAC: evolving(sac),
  PPO: evolving(ppo),
  "PPO-recurrent": evolving(recurrentPpo),
  ES: evolving(es),
  MADDPG: evolving(maddpg),
  MATD3: evolving(matd3),
  IPPO: evolving(ippo),
};

/** What a run said, in order. */
export class Recorder {
  readonly events: TrainingEvent[] = [];
  readonly #on: (event: TrainingEvent) => void;

  constructor(on: (event: TrainingEvent) => void = () => undefined) {
    this.#on = on;
  }

  on = (event: TrainingEvent): void => {
    this.events.push(event);
    this.#on(event);
  };

  of<K extends TrainingEvent["event"]>(kind: K): Extract<TrainingEvent, { event: K }>[] {
    return this.events.filter((e): e is Extract<TrainingEvent, { event: K }> => e.event === kind);
  }

  get generations(): GenerationReport[] {
    return this.of("generation");
  }

  get warnings(): string[] {
    return this.of("warning").map(({ message }) => message);
  }

  /** Directories of the checkpoints that were written. */
  get checkpoints(): string[] {
    return this.of("checkpoint").map(({ path }) => path);
  }
}

export interface Trained extends Pick<Recorder, "events"> {
  readonly population: readonly SupportedAgent[];
  readonly fitnesses: readonly number[];
  readonly recorder: Recorder;
  /** The last generation boundary. */
  readonly state: RunState;
  readonly reason: string | undefined;
}

export interface Watching extends TrainOptions {
  /** Told of events with the run that they are of. */
  readonly watch?: (event: TrainingEvent, run: TrainingRun<RlKinds>) => void;
}

/** Trains quietly to the end. */
export async function trained(
  options: TrainerOptions | LocalTrainer,
  { watch, onRun, ...train }: Watching = {},
): Promise<Trained> {
  const trainer = options instanceof LocalTrainer ? options : new LocalTrainer(options);
  const runs: TrainingRun<RlKinds>[] = [];
  const recorder = new Recorder((event) => {
    if (runs[0]) watch?.(event, runs[0]);
  });
  const [population, fitnesses] = await trainer.train({
    verbose: false,
    observer: recorder,
    onRun: (run) => {
      runs.push(run);
      onRun?.(run);
    },
    ...train,
  });
  const [run] = runs;
  if (!run) throw new Error("the run was not handed out");
  const reason = recorder.of("end")[0]?.reason;
  return { population, fitnesses, recorder, events: recorder.events, state: run.state, reason };
}

export const statesOf = (population: readonly ActingAgent[]) => population.map((a) => a.state);

/** What equal runs end with, to the bit. */
export const endOf = ({ population, fitnesses, state }: Trained) => ({
  members: statesOf(population),
  fitnesses,
  elite: state.elite,
  replay: state.replay,
  epsilon: state.epsilon,
  generation: state.generation,
});

/** Makes a run with other fields in its section of the environment. */
export function within(
  run: (changes?: Changes) => TrainerOptions,
  changes: Changes,
  fields: object,
): TrainerOptions {
  const options = run({ seed: 7, ...changes });
  // Whatever the fields say, they are given as options.
  return { ...options, environment: { ...(options.environment as object), ...fields } } as TrainerOptions;
}
