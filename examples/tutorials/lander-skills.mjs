/**
 * AgileRL's "Hierarchical Skills Tutorial": three agents learn skills of LunarLander by rewards of their own, then a fourth
 * learns which of them to use.
 *
 *     npm install rlkit
 *     node lander-skills.mjs
 */
// @ts-ignore: the package's own name resolves to dist/lib, which may not be built yet when types are checked.
import {
  createPopulation,
  Discrete,
  loadEnvironment,
  make,
  SyncVectorEnvironment,
  trainOnPolicy,
} from "rlkit";

const STEPS = Number(process.env.STEPS ?? 1_000_000);
/** Steps that a skill acts for, before the selector chooses again. */
const DURATION = 40;

await loadEnvironment("LunarLander-v3");

const movement = (now, before) => [0, 1, 4].map((i) => (10 * (now[i] - before[i])) ** 2);

/** What each skill earns in a step that does not end the episode; x, y and the angle are numbers 0, 1 and 4. */
const SKILLS = {
  stabilize: (now, before) => 1 - movement(now, before).reduce((sum, part) => sum + part),
  center: (now, before) => 1 - (2 * now[0]) ** 2 - movement(now, before)[1] - movement(now, before)[2],
  landing: (now) => 1 - now[0] ** 2 - now[1] ** 2 - Math.abs(now[4]),
};

/** What each skill earns in the step that ends the episode. */
const AT_END = { stabilize: -100, center: -1000, landing: 0 };

/** LunarLander with a skill's rewards. */
function skillEnvironment(skill) {
  const env = make("LunarLander-v3");
  let before = null;
  return {
    ...{ observation_space: env.observation_space, action_space: env.action_space, spec: env.spec },
    reset(options) {
      const start = env.reset(options);
      before = start.observation;
      return start;
    },
    step(action) {
      const step = env.step(action);
      const ended = step.terminated || step.truncated;
      const reward = ended ? AT_END[skill] : SKILLS[skill](step.observation, before);
      before = step.observation;
      return { ...step, reward };
    },
    close: () => env.close(),
  };
}

/** LunarLander whose actions are skills; its rewards are its own, summed over the skill's steps. */
function selectorEnvironment(agents) {
  const env = make("LunarLander-v3");
  let observation = null;
  return {
    observation_space: env.observation_space,
    action_space: new Discrete(agents.length),
    spec: { id: "LunarLanderSkills", max_episode_steps: 1000 / DURATION },
    reset(options) {
      const start = env.reset(options);
      observation = start.observation;
      return start;
    },
    step(choice) {
      let step = null;
      let reward = 0;
      for (let i = 0; i < DURATION && !(step?.terminated || step?.truncated); i++) {
        step = env.step(agents[choice].getAction(observation, { training: false }));
        observation = step.observation;
        reward += step.reward;
      }
      return { ...step, reward };
    },
    close: () => env.close(),
  };
}

/** A trained PPO agent. */
async function trained(makeEnvironment, max_steps, learn_step) {
  const env = new SyncVectorEnvironment(Array.from({ length: 4 }, () => makeEnvironment));
  const pop = createPopulation({
    algorithm: { name: "PPO", batch_size: 128, lr: 0.001, learn_step },
    observation_space: env.single_observation_space,
    action_space: env.single_action_space,
    num_envs: 4,
    population_size: 1,
    net_config: { encoder_config: { hidden_size: [64, 64] } },
  });
  const options = { env, env_name: "LunarLander-v3", algo: "PPO", pop, verbose: false };
  const [[agent], [fitness]] = await trainOnPolicy({ ...options, max_steps, evo_steps: max_steps });
  env.close();
  return { agent, fitness };
}

const skills = [];
for (const skill of Object.keys(SKILLS)) {
  const { agent, fitness } = await trained(() => skillEnvironment(skill), STEPS, 1024);
  console.log(`${skill}: ${fitness.toFixed(1)}`);
  await agent.save(`skill-${skill}.safetensors`);
  skills.push(agent);
}
const { agent, fitness } = await trained(() => selectorEnvironment(skills), Math.ceil(STEPS / DURATION), 256);
console.log(`selector: ${fitness.toFixed(1)}`);
await agent.save("skill-selector.safetensors");
