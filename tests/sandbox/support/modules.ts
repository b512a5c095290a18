/** Modules as people write them: text that is loaded in a sandbox. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { root } from "../../../scripts/lib/environment.mjs";

/** The example that the documentation shows: CartPole in plain JavaScript. */
export const CART_POLE = readFileSync(path.join(root, "examples/environment/cartpole.js"), "utf8");

/** The game that the documentation shows: Nim with one heap, which saves and loads. */
export const NIM = readFileSync(path.join(root, "examples/environment/nim.js"), "utf8");

/** Two agents that choose among three places; meeting ends the episode. One of them may not choose where it is. */
export const MEETING = `
export default class Meeting {
  possible_agents = ["left", "right"];
  agents = [];
  observation_spaces = {
    left: { kind: "Discrete", n: 3 },
    right: { kind: "Box", low: 0, high: 2, shape: [2] },
  };
  action_spaces = { left: { kind: "Discrete", n: 3 }, right: { kind: "Discrete", n: 3 } };
  #at = { left: 0, right: 2 };
  #start = 0;
  #steps = 0;

  #seen() {
    const { left, right } = this.#at;
    return {
      observations: { left: right, right: [left, right] },
      infos: { left: { action_mask: [0, 1, 2].map((place) => place !== left) }, right: {} },
    };
  }

  reset({ seed = this.#start + 1 } = {}) {
    this.agents = ["left", "right"];
    this.#start = seed % 3;
    this.#at = { left: this.#start, right: 2 };
    this.#steps = 0;
    return this.#seen();
  }

  step({ left, right }) {
    this.#at = { left, right };
    const met = left === right;
    const late = ++this.#steps >= 7;
    if (met || late) this.agents = [];
    return {
      ...this.#seen(),
      rewards: { left: met ? 1 : 0, right: met ? 2 : -0.5 },
      terminations: { left: met, right: met },
      truncations: { left: late, right: late },
    };
  }
}
`;

/** Episodes of four steps in which everything is as it should be but for what is given. */
export const walk = (parts: {
  /** Statements before the environment. */
  readonly before?: string;
  /** What a reset gives. */
  readonly reset?: string;
  /** Statements of a step before it gives anything. */
  readonly step?: string;
  /** What it gives in place of the fields of a right step. */
  readonly given?: string;
  /** Fields of the environment. */
  readonly fields?: string;
}): string => `
${parts.before ?? ""}
export default () => {
  let steps = 0;
  return {
    observation_space: { kind: "Box", low: -1, high: 1, shape: [2] },
    action_space: { kind: "Discrete", n: 2 },
    reset() {
      steps = 0;
      return ${parts.reset ?? "{ observation: [0, 0.5], info: {} }"};
    },
    step() {
      steps++;
      ${parts.step ?? ""}
      return { observation: [0.5, 0.5], reward: 1, terminated: steps >= 4, truncated: false, info: {}, ${parts.given ?? ""} };
    },
    ${parts.fields ?? ""}
  };
};
`;

/**
 * Fills a process's memory. Buffers that nobody writes to use up its limit first, for pages of memory are slow to come by on
 * a busy machine, and calls have a deadline.
 */
export const FLOOD =
  "const all = []; try { while (all.length < 64) all.push(new Uint8Array(16e6)); } catch {} while (true) all.push(new Array(4e6));";

/** A way with a fork: the side way looks better, and is not legal where the mask is told. */
export const FORK = `
export default class Fork {
  observation_space = { kind: "Box", low: 0, high: 9, shape: [2] };
  action_space = { kind: "Discrete", n: 3 };
  spec = { id: "Fork", max_episode_steps: 9 };
  #at = 0;

  #seen() {
    const info = this.#at === 0 ? {} : { action_mask: [1, this.#at % 2, 0] };
    return { observation: [this.#at, 1], info };
  }

  reset({ seed = 0 } = {}) {
    this.#at = seed % 2;
    return this.#seen();
  }

  step(action) {
    const reward = action - this.#at / 4;
    this.#at++;
    return { ...this.#seen(), reward, terminated: this.#at > 6, truncated: false };
  }
}
`;

/** A walk on a line to a place that is asked for. @param wrong Added to the rewards of steps. */
export const REACH = (wrong = 0): string => `
const place = { kind: "Box", low: -20, high: 20, shape: [1] };
export default class Reach {
  observation_space = { kind: "Dict", spaces: { observation: place, achieved_goal: place, desired_goal: place } };
  action_space = { kind: "Discrete", n: 2 };
  spec = { id: "Reach", max_episode_steps: 8 };

  #seen() {
    const is_success = this.at === this.goal;
    return {
      observation: { observation: [this.at], achieved_goal: [this.at], desired_goal: [this.goal] },
      info: { is_success },
    };
  }

  reset({ seed = 0 } = {}) {
    Object.assign(this, { at: 0, steps: 0, goal: (seed % 9) - 4 || 5 });
    return this.#seen();
  }

  compute_reward(achieved, desired) {
    return achieved.map(([x], i) => -Number(x !== desired[i][0]));
  }

  compute_terminated(achieved, desired) {
    return achieved.map(([x], i) => x === desired[i][0]);
  }

  step(action) {
    this.at += action === 1 ? 1 : -1;
    this.steps++;
    const terminated = this.at === this.goal;
    const reward = -Number(!terminated) + ${wrong};
    return { ...this.#seen(), reward, terminated, truncated: this.steps >= 8 };
  }
}
`;

/** TicTacToe with the observations of rlkit's own, which saves and loads. */
export const TIC_TAC_TOE = `
const LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

export default class TicTacToe {
  possible_agents = ["x", "o"];
  observation_spaces = this.each({ kind: "Box", low: 0, high: 1, shape: [3, 3, 2] });
  action_spaces = this.each({ kind: "Discrete", n: 9 });
  spec = { max_episode_steps: 9 };

  reset() {
    this.cells = Array(9).fill("");
    this.agent_selection = "x";
  }

  observe(agent) {
    return {
      observation: this.cells.flatMap((cell) => [Number(cell === agent), Number(cell !== "" && cell !== agent)]),
      action_mask: this.cells.map((cell) => Number(cell === "")),
    };
  }

  step(cell) {
    const mover = this.agent_selection;
    if (this.cells[cell] !== "") throw new RangeError("the cell is taken");
    this.cells[cell] = mover;
    const won = LINES.some((line) => line.every((at) => this.cells[at] === mover));
    this.rewards = { x: 0, o: 0 };
    if (won) this.rewards = mover === "x" ? { x: 1, o: -1 } : { x: -1, o: 1 };
    this.terminations = this.each(won || !this.cells.includes(""));
    this.truncations = this.each(false);
    this.agent_selection = mover === "x" ? "o" : "x";
  }

  // Not copied: a search must not see later changes.
  save() {
    return { cells: this.cells, mover: this.agent_selection };
  }

  load({ cells, mover }) {
    this.cells = cells;
    this.agent_selection = mover;
  }

  each(value) {
    return Object.fromEntries(this.possible_agents.map((agent) => [agent, value]));
  }
}
`;
