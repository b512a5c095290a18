/** Nim with one heap: take one to three stones in turn; who takes the last one wins. */
export default class Nim {
  possible_agents = ["first", "second"];
  observation_spaces = this.each({ kind: "Box", low: 0, high: 1, shape: [13] });
  action_spaces = this.each({ kind: "Discrete", n: 3 });
  spec = { max_episode_steps: 12 };

  reset() {
    this.stones = 12;
    this.agent_selection = "first";
  }

  observe(_agent) {
    const observation = Array.from({ length: 13 }, (_, count) => Number(count === this.stones));
    return { observation, action_mask: [1, 2, 3].map((taken) => Number(taken <= this.stones)) };
  }

  step(action) {
    const mover = this.agent_selection;
    const other = mover === "first" ? "second" : "first";
    if (action + 1 > this.stones) throw new RangeError(`${this.stones} stones are left`);
    this.stones -= action + 1;
    const won = this.stones === 0;
    this.rewards = { [mover]: won ? 1 : 0, [other]: won ? -1 : 0 };
    this.terminations = this.each(won);
    this.truncations = this.each(false);
    this.agent_selection = other;
  }

  render(context, { width, height }) {
    context.clearRect(0, 0, width, height);
    for (let stone = 0; stone < this.stones; stone++)
      context.fillRect(width * (0.05 + 0.075 * stone), height * 0.4, width * 0.05, height * 0.2);
  }

  save() {
    return [this.stones, this.agent_selection];
  }

  load([stones, mover]) {
    this.stones = stones;
    this.agent_selection = mover;
  }

  each(value) {
    return Object.fromEntries(this.possible_agents.map((agent) => [agent, value]));
  }
}
