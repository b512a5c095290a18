/** Trains in a worker, so that the page stays free to draw. */
import { Box, Discrete, LocalTrainer, SyncVectorEnvironment } from "rlkit";
import CartPole from "../cartpole.js";

/** The module has its spaces as plain objects; an environment that runs without a sandbox has rlkit's. */
function lane() {
  const environment = new CartPole();
  const { low, high } = environment.observation_space;
  environment.observation_space = new Box({ low, high });
  environment.action_space = new Discrete(environment.action_space.n);
  return environment;
}

const trainer = new LocalTrainer({
  algorithm: { name: "PPO", lr: 0.001, learn_step: 128, batch_size: 256, ent_coef: 0.01 },
  environment: new SyncVectorEnvironment(Array.from({ length: 16 }, () => lane)),
  training: { pop_size: 2, max_steps: 60_000, evo_steps: 4_096, target_score: 475 },
  mutation: { probabilities: { no_mut: 0.4, params_mut: 0.2, rl_hp_mut: 0.4 } },
  selection_strategy: { tournament_size: 2, elitism: true },
  seed: 1,
});
await trainer.train({
  verbose: false,
  observer: (event) => {
    if (event.event === "generation") postMessage({ step: event.global_step, fitnesses: event.fitnesses });
  },
});
postMessage("finished");
