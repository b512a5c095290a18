import { builtInTemplate } from "../../manifests/templates.ts";
import type { KeptEnvironment } from "../../workers/protocol.ts";

/** The initial code of a new environment: CartPole with a drawing, as a class like any environment. */
export const STARTER_NAME = "cartpole";

export const STARTER = `// Balance a pole on a cart: 0 pushes it to the left, 1 to the right.
const FORCE = 10, GRAVITY = 9.8, STEP = 0.02;
const CART = 1, POLE = 0.1, HALF = 0.5;
const FAR = 2.4, LEANING = 0.2095, LONGEST = 500;

export default class CartPole {
  observation_space = {
    kind: "Box", low: -Infinity, high: Infinity, shape: [4],
  };
  action_space = { kind: "Discrete", n: 2 };
  spec = { max_episode_steps: LONGEST };

  reset({ seed }) {
    // A given seed reproduces the same episodes.
    if (seed !== undefined) this.seed = seed;
    this.steps = 0;
    this.state = [0, 0, 0, 0].map(() => this.random() * 0.1 - 0.05);
    return { observation: this.state, info: {} };
  }

  step(action) {
    const [, speed, angle, turn] = this.state;
    const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
    const force = action === 1 ? FORCE : -FORCE;
    const push = (force + POLE * HALF * turn ** 2 * sin) / (CART + POLE);
    const hold = HALF * (4 / 3 - (POLE * cos ** 2) / (CART + POLE));
    const fall = (GRAVITY * sin - cos * push) / hold;
    const pull = push - (POLE * HALF * fall * cos) / (CART + POLE);
    const change = [speed, pull, turn, fall];
    this.state = this.state.map((value, i) => value + STEP * change[i]);
    const [x, , lean] = this.state;
    const terminated = Math.abs(x) > FAR || Math.abs(lean) > LEANING;
    const truncated = ++this.steps >= LONGEST;
    return { observation: this.state, reward: 1, terminated, truncated, info: {} };
  }

  random() {
    this.seed = (this.seed + 0x9e3779b9) >>> 0;
    const mixed = Math.imul(this.seed ^ (this.seed >>> 16), 0x85ebca6b);
    return ((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 32;
  }

  render(context, { width, height }) {
    const [x, , angle] = this.state;
    const [cart, axle] = [(width / 2) * (1 + x / FAR), height * 0.75];
    const length = height * 0.5;
    context.fillRect(cart - 20, axle, 40, 20);
    context.lineWidth = 6;
    context.beginPath();
    context.moveTo(cart, axle);
    context.lineTo(cart + Math.sin(angle) * length, axle - Math.cos(angle) * length);
    context.stroke();
  }
}
`;

const { manifest } = builtInTemplate("ppo-cartpole");

/** A manifest that trains PPO with a user's robot, as a starting point. */
export const robotManifest = ({ id }: Pick<KeptEnvironment, "id">) => ({
  apiVersion: "agilerl.com/v1",
  algorithm: { name: "PPO", lr: 0.0005, learn_step: 2048, batch_size: 256, update_epochs: 10, ent_coef: 0 },
  environment: { name: id, num_envs: 16, normalize: { observations: true, rewards: true } },
  training: { pop_size: 4, max_steps: 1_000_000, evo_steps: 20_480 },
  mutation: { probabilities: { no_mut: 0.4, params_mut: 0.2, rl_hp_mut: 0.4 } },
  selection_strategy: { tournament_size: 2, elitism: true },
});

/** A manifest that trains PPO in a user's environment, as a starting point. */
export const ownManifest = ({ id }: Pick<KeptEnvironment, "id">) => ({
  apiVersion: "agilerl.com/v1",
  ...manifest,
  environment: { ...manifest.environment, name: id },
});
