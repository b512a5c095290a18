import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random } from "../../../../src/evolution/random.ts";
import {
  BUFFERS,
  drawBuffer,
  resetProgram,
  stepDrawBuffer,
  stepProgram,
  variableBuffer,
} from "../../../../src/rl/environments/hostPrograms.ts";
import {
  findEnvironment,
  prepareProgram,
  stateSize,
  variableShape,
} from "../../../../src/rl/environments/index.ts";
import type { PublishedGame, PublishedRules } from "./publishedGame.ts";
import { publishedGames } from "./publishedGames.ts";

interface Step {
  readonly state: readonly number[];
  /** One digit for each number, because long arrays are slow to compare. */
  readonly observation: string;
  readonly reward: number;
  readonly terminated: boolean;
}

const seeds = fc.nat(2 ** 31 - 1);

/** Uniform numbers that f32 holds exactly, one list after another. */
function uniforms(seed: number, count: number): () => number[] {
  const random = new Random({ seed, stream: "minatar parity" });
  return () => Array.from({ length: count }, () => random.integer(2 ** 24) / 2 ** 24);
}

const digits = (values: ArrayLike<number>): string => Array.from(values).join("");

/** The picture as the library lays it out: rows, columns, channels. */
function pictureOf(game: PublishedGame, { channels }: PublishedRules): string {
  const cells = Array.from({ length: 100 }, (_, i) => ({ x: i % 10, y: Math.floor(i / 10) }));
  return digits(cells.flatMap(({ x, y }) => channels.map((channel) => Number(game.occupied(channel, x, y)))));
}

/** Steps the environment's own program from any state with any draws. */
function stepper(id: string) {
  const env = findEnvironment(id);
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

/** The same step by the published rules; `draws[0]` decides whether the last action is repeated. */
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

const same = (found: Step, wanted: Step, { ordered = (state) => [...state] }: PublishedRules): void =>
  expect({ ...found, state: ordered(found.state) }).toEqual({ ...wanted, state: ordered(wanted.state) });

describe.each(Object.entries(publishedGames))(
  "%s follows its published rules",
  (id, { rules, states, hardest }) => {
    const env = findEnvironment(id);
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
          same(step(state, chosen, draws), published(rules, state, chosen, draws), rules);
        }),
        { numRuns: 500 },
      );
    });

    /** Plays game and environment side by side, each from its own state, and compares every step. */
    function playAlong(steps: number, start: (game: number) => PublishedGame, pastTheEnd: boolean): void {
      const draws = uniforms(2, env.stepDraws);
      const choices = new Random({ seed: 3, stream: "minatar parity" });
      let game = start(0);
      let state: readonly number[] = [...game.state(), 0];
      for (let t = 0; t < steps; t++) {
        const [chosen, [sticky = 0, ...others]] = [choices.integer(rules.keys.length), draws()];
        const found = step(state, chosen, [sticky, ...others]);
        const played = sticky < 0.1 ? (state.at(-1) as number) : chosen;
        const { reward, terminated } = game.press(rules.keys[played] as string, others);
        const next = [...game.state(), played];
        same(found, { state: next, observation: pictureOf(game, rules), reward, terminated }, rules);
        state = found.state;
        if (pastTheEnd || !terminated) continue;
        game = start(t);
        state = [...game.state(), 0];
      }
    }

    it("over games played at random", () => {
      playAlong(1000, (seed) => rules.begin(uniforms(seed, env.resetDraws)()), false);
    });

    if (hardest) {
      it("at the highest difficulty, however long the game", () => {
        playAlong(1000, () => rules.restore(hardest), true);
      });
    }
  },
);
