/** CartPole as a custom environment: a module without imports. docs/environments/your-own.md explains it. */

/** A seeded generator (mulberry32) of uniform numbers in [0, 1). The same seed gives the same episode. */
function generator(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export default class CartPole {
  observation_space = {
    kind: "Box",
    low: [-4.8, -Infinity, -0.42, -Infinity],
    high: [4.8, Infinity, 0.42, Infinity],
  };
  action_space = { kind: "Discrete", n: 2 };
  spec = { id: "CartPole", max_episode_steps: 500 };

  constructor({ force = 10 } = {}) {
    this.force = force;
    this.draw = generator(0);
  }

  reset({ seed } = {}) {
    if (seed !== undefined) this.draw = generator(seed);
    this.state = [0, 0, 0, 0].map(() => 0.1 * this.draw() - 0.05);
    this.steps = 0;
    return { observation: this.state, info: {} };
  }

  step(action) {
    const [x, speed, angle, turn] = this.state;
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    const pull = ((action === 1 ? this.force : -this.force) + 0.05 * turn * turn * sin) / 1.1;
    const twist = (9.8 * sin - cos * pull) / (0.5 * (4 / 3 - (0.1 * cos * cos) / 1.1));
    const push = pull - (0.05 * twist * cos) / 1.1;
    this.state = [x + 0.02 * speed, speed + 0.02 * push, angle + 0.02 * turn, turn + 0.02 * twist];
    this.steps++;
    const terminated = Math.abs(this.state[0]) > 2.4 || Math.abs(this.state[2]) > 0.2095;
    const truncated = this.steps >= this.spec.max_episode_steps;
    return { observation: this.state, reward: 1, terminated, truncated, info: {} };
  }

  render(context, { width, height }) {
    const [x, , angle] = this.state;
    const [centre, ground] = [width * (0.5 + x / 5), height * 0.75];
    context.clearRect(0, 0, width, height);
    context.fillRect(centre - width * 0.05, ground, width * 0.1, height * 0.05);
    context.beginPath();
    context.moveTo(centre, ground);
    context.lineTo(centre + Math.sin(angle) * height * 0.4, ground - Math.cos(angle) * height * 0.4);
    context.stroke();
  }
}
