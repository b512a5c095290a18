/**
 * Trains four agents on CartPole-v1 in Node, saves the best one and plays an episode with it.
 *
 *     npm run build -- lib
 *     node examples/train-in-node.mjs
 */
// @ts-ignore: the package's own name resolves to dist/lib, which may not be built yet when types are checked.
import { Accelerator, LocalTrainer, loadAgent, make } from "rlkit";

const trainer = new LocalTrainer({
  algorithm: { name: "PPO", lr: 0.001, batch_size: 64, learn_step: 256, update_epochs: 10 },
  environment: { name: "CartPole-v1", num_envs: 16 },
  training: { pop_size: 4, max_steps: 60_000, evo_steps: 10_000, target_score: 475 },
  network: { latent_dim: 64, encoder_config: { hidden_size: [64] }, head_config: { hidden_size: [64] } },
  mutation: { rl_hp_selection: { lr: { min: 0.0003, max: 0.003 }, ent_coef: { min: 0.001, max: 0.1 } } },
  selection_strategy: { tournament_size: 2, elitism: true },
  accelerator: new Accelerator({ workers: 2 }),
  seed: 1,
});

const [population, fitnesses] = await trainer.train();
const best = population[fitnesses.indexOf(Math.max(...fitnesses))];
if (!best) throw new Error("every member failed");
await best.save("cartpole.safetensors");

const agent = await loadAgent("cartpole.safetensors");
const env = make("CartPole-v1");
let { observation } = env.reset({ seed: 7 });
let total = 0;
for (let ended = false; !ended; ) {
  const step = env.step(agent.getAction(observation, { training: false }));
  total += step.reward;
  ended = step.terminated || step.truncated;
  observation = step.observation;
}
env.close();
agent.release();
console.log(`An episode of the best agent: ${total} steps upright`);
