import { describe, expect, it } from "vitest";
import { createPopulation, makeVector, ReplayBuffer, TournamentSelection } from "../../src/index.ts";

const { single_observation_space: observation_space, single_action_space: action_space } = makeVector(
  "CartPole-v1",
  1,
);
const NEED = /found 1000000000000?; needs about \d+ MB of memory.*allowed.*at most \d+/;

describe("sizes that no machine has, given to the library", () => {
  it("of lanes are refused with what they need", () => {
    expect(() => makeVector("CartPole-v1", 1e12)).toThrow(NEED);
    expect(() => makeVector("CartPole-v1", 1e12)).toThrow(/^num_envs: /);
  });

  it("of a memory are refused at the first transition, and when it is laid out", () => {
    const transition = { obs: [0, 0, 0, 0], action: 0, reward: 1, next_obs: [0, 0, 0, 0], done: false };
    const memory = new ReplayBuffer({ max_size: 1e12 });
    expect(() => memory.add(transition)).toThrow(NEED);
    expect(() => memory.configure({ observation_space, action_space })).toThrow(/^ReplayBuffer\.max_size: /);
    const small = new ReplayBuffer({ max_size: 10 });
    small.add(transition);
    expect(small.size).toBe(1);
  });

  it("of a tournament are refused with the draws they need", () => {
    const sizes = { elitism: true, population_size: 4 };
    expect(() => new TournamentSelection({ ...sizes, tournament_size: 1e9 })).toThrow(
      /^TournamentSelection\.tournament_size: found 1000000000, which needs 4000000000 draws/,
    );
    expect(new TournamentSelection({ ...sizes, tournament_size: 100 }).tournament_size).toBe(100);
  });

  it("of populations are refused before anything is built", () => {
    const one = { algorithm: "DQN", observation_space, action_space } as const;
    expect(() => createPopulation({ ...one, population_size: 1e7 })).toThrow(
      /^population_size: .*MB of memory/,
    );
  });
});
