/**
 * AgileRL's tutorial "Self-play Connect4 with DQN + curriculum learning": a lesson against a random opponent, then lessons
 * against a copy of what the lesson before taught.
 *
 *     npm install rlkit
 *     node connect-four-self-play.mjs
 */
// @ts-ignore: the package's own name resolves to dist/lib, which may not be built yet when types are checked.
import { Box, createPopulation, Discrete, ReplayBuffer, SyncVectorEnvironment, trainOffPolicy } from "rlkit";
import ConnectFour from "./connect-four.js";

const LESSONS = Number(process.env.LESSONS ?? 5);
const STEPS = Number(process.env.STEPS ?? 100_000);

/** Eight games against one opponent; objects of a program have rlkit's own spaces. */
const games = (opponent) =>
  new SyncVectorEnvironment(
    Array.from({ length: 8 }, (_, lane) => () => {
      const game = new ConnectFour({ opponent });
      game.reset({ seed: lane });
      game.observation_space = new Box({ low: 0, high: 1, shape: [2, 6, 7], dtype: "uint8" });
      game.action_space = new Discrete(7);
      return game;
    }),
  );

let opponent = "random";
let pop = null;
for (let lesson = 1; lesson <= LESSONS; lesson++) {
  const env = games(opponent);
  pop ??= createPopulation({
    algorithm: { name: "DQN", double: true, batch_size: 128, lr: 0.0005, learn_step: 4, tau: 0.01 },
    observation_space: env.single_observation_space,
    action_space: env.single_action_space,
    population_size: 1,
    net_config: {
      encoder_config: { channel_size: [32], kernel_size: [4], stride_size: [1] },
      head_config: { hidden_size: [64] },
    },
  });
  // Steps count from the first lesson on.
  const max_steps = lesson * STEPS;
  const memory = new ReplayBuffer({ max_size: 100_000 });
  const options = { env, env_name: "ConnectFour", algo: "DQN", pop, memory, max_steps, evo_steps: STEPS };
  const [trained] = await trainOffPolicy({ ...options, eval_loop: 5, eps_end: 0.1, verbose: false });
  pop = trained;
  const teacher = trained[0].clone();
  const random = trained[0].test(games("random"), { loop: 5 });
  console.log(`lesson ${lesson}: mean reward ${random.toFixed(2)} against a random opponent`);
  opponent = (observation, action_mask) => teacher.getAction(observation, { action_mask, epsilon: 0.1 });
}
await pop[0].save("connect-four.safetensors");
