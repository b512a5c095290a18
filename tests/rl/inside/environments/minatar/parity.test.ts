import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stateSize, variableShape } from "../../../../../src/agents/index.ts";
import { Random } from "../../../../../src/evolution/random.ts";
import { stepDrawBuffer } from "../../../../../src/rl/environments/compiled/hostPrograms.ts";
import {
  BUFFERS,
  drawBuffer,
  findCompiledEnvironment,
  prepareProgram,
  resetProgram,
  stepProgram,
  variableBuffer,
} from "../../../../../src/rl/environments.ts";
import type { PublishedGame, PublishedRules } from "../../../environments/minatar/publishedGame.ts";
import {
  hardestStates,
  type PublishedCase,
  publishedGames,
} from "../../../environments/minatar/publishedGames.ts";

interface Step {
  readonly state: readonly number[];
  /** One digit per number, because long arrays are slow to compare. */
  readonly observation: string;
  readonly reward: number;
  readonly terminated: boolean;
}

const seeds = fc.nat(2 ** 31 - 1);

/** A generator of lists of uniform numbers that f32 represents exactly. */
function uniforms(seed: number, count: number): () => number[] {
  const random = new Random({ seed, stream: "minatar parity" });
  return () => Array.from({ length: count }, () => random.integer(2 ** 24) / 2 ** 24);
}

const digits = (values: ArrayLike<number>): string => Array.from(values).join("");

/** The picture in the library's layout: rows, columns, channels. */
function pictureOf(game: PublishedGame, { channels }: PublishedRules): string {
  const cells = Array.from({ length: 100 }, (_, i) => ({ x: i % 10, y: Math.floor(i / 10) }));
  return digits(cells.flatMap(({ x, y }) => channels.map((channel) => Number(game.occupied(channel, x, y)))));
}

/** Steps the environment's program from a given state with given draws. */
function stepper(id: string) {
  const env = findCompiledEnvironment(id);
  const program = prepareProgram(stepProgram(env), { num_envs: 1 });
  const sizes = env.variables.map((name) => variableShape(env, name).reduce((a, b) => a * b, 1));
  return (state: readonly number[], action: number, draws: readonly number[]): Step => {
    let at = 0;
    env.variables.forEach((name, i) => {
      const size = sizes[i] as number;
      program.write(variableBuffer(name), state.slice(at, at + size));
      at += size;
    });
    draws.forEach((draw, i) => program.write(stepDrawBuffer(i), [draw]));
    program.write(BUFFERS.action, [action]);
    program.run();
    return {
      state: env.variables.flatMap((name) => [...program.read(variableBuffer(name))]),
      observation: digits(program.read(BUFFERS.obs)),
      reward: program.read(BUFFERS.reward)[0] as number,
      terminated: program.read(BUFFERS.terminated)[0] !== 0,
    };
  };
}

/** The same step by the published rules. `draws[0]` decides whether the last action is repeated. */
function published(
  rules: PublishedRules,
  state: readonly number[],
  action: number,
  draws: readonly number[],
): Step {
  const [sticky = 0, ...others] = draws;
  const played = sticky < 0.1 ? (state.at(-1) as number) : action;
  const game = rules.restore(state.slice(0, -1));
  const { reward, terminated } = game.press(rules.keys[played] as string, others);
  return { state: [...game.state(), played], observation: pictureOf(game, rules), reward, terminated };
}

/** The step with its slots in a fixed order. */
const ordered = (step: Step, rules: PublishedRules): Step =>
  rules.ordered ? { ...step, state: rules.ordered(step.state) } : step;

interface Pair {
  readonly found: Step;
  readonly wanted: Step;
}

/** Plays the environment and the game in parallel at random, each from its own state. */
function* playAlong(
  id: string,
  rules: PublishedRules,
  {
    steps,
    start,
    pastTheEnd,
  }: { steps: number; start: (game: number) => PublishedGame; pastTheEnd: boolean },
): Generator<Pair> {
  const step = stepper(id);
  const draws = uniforms(2, findCompiledEnvironment(id).stepDraws);
  const choices = new Random({ seed: 3, stream: "minatar parity" });
  let game = start(0);
  let state: readonly number[] = [...game.state(), 0];
  for (let t = 0; t < steps; t++) {
    const [chosen, [sticky = 0, ...others]] = [choices.integer(rules.keys.length), draws()];
    const found = step(state, chosen, [sticky, ...others]);
    const played = sticky < 0.1 ? (state.at(-1) as number) : chosen;
    const { reward, terminated } = game.press(rules.keys[played] as string, others);
    const next = [...game.state(), played];
    const wanted = { state: next, observation: pictureOf(game, rules), reward, terminated };
    yield { found: ordered(found, rules), wanted: ordered(wanted, rules) };
    state = found.state;
    if (pastTheEnd || !terminated) continue;
    game = start(t);
    state = [...game.state(), 0];
  }
}

describe.each(Object.entries(publishedGames))("%s follows its published rules", (id, { rules, states }) => {
  const env = findCompiledEnvironment(id);
  const step = stepper(id);
  const action = fc.nat(rules.keys.length - 1);

  it("has the published channels, keys and beginning", () => {
    expect(env.observation_space).toMatchObject({ shape: [10, 10, rules.channels.length], dtype: "uint8" });
    expect(env.action_space).toMatchObject({ n: rules.keys.length });
    const program = prepareProgram(resetProgram(env), { num_envs: 1 });
    const draws = uniforms(1, env.resetDraws);
    for (let i = 0; i < 20; i++) {
      const given = draws();
      given.forEach((draw, k) => program.write(drawBuffer(k), [draw]));
      program.run();
      const game = rules.begin(given);
      expect(env.variables.flatMap((name) => [...program.read(variableBuffer(name))])).toEqual([
        ...game.state(),
        0,
      ]);
      expect(digits(program.read(BUFFERS.obs))).toBe(pictureOf(game, rules));
    }
  });

  it("in state, picture, reward and end from any state", () => {
    fc.assert(
      fc.property(states, action, action, seeds, (given, last, chosen, seed) => {
        const state = [...given, last];
        const draws = uniforms(seed, env.stepDraws)();
        expect(state.length).toBe(stateSize(env));
        expect(ordered(step(state, chosen, draws), rules)).toEqual(
          ordered(published(rules, state, chosen, draws), rules),
        );
      }),
      { numRuns: 300 },
    );
  });

  it("over games played at random", () => {
    const start = (seed: number) => rules.begin(uniforms(seed, env.resetDraws)());
    for (const { found, wanted } of playAlong(id, rules, { steps: 1000, start, pastTheEnd: false }))
      expect(found).toEqual(wanted);
  });
});

describe.each(Object.entries(hardestStates))("%s at its highest difficulty", (id, hardest) => {
  it("follows its published rules however long the game", () => {
    const { rules } = publishedGames[id] as PublishedCase;
    const start = () => rules.restore(hardest);
    for (const { found, wanted } of playAlong(id, rules, { steps: 1000, start, pastTheEnd: true }))
      expect(found).toEqual(wanted);
  });
});
