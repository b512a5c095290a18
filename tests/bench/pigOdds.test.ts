/** Odds of Pig by equations, beside the game's rules. */
import { expect, test } from "vitest";
import { holdAt, pigOdds } from "../../bench/subjects/pigOdds.ts";
import { Random } from "../../src/evolution/index.ts";
import {
  afterChance,
  CHANCE,
  findCompiledEnvironment,
  type GameRules,
  type GameState,
} from "../../src/rl/environments.ts";

const rulesTo = (target: number): GameRules => {
  const { game } = findCompiledEnvironment("rlkit/Pig").withOptions?.({ target }) ?? {};
  return game?.rules ?? expect.fail("Pig is a game");
};

/** What the first player gets with the best moves of both: iterated values of all states that the rules reach. */
function byRules(rules: GameRules): number {
  const values = new Map<string, number>();
  const states: GameState[] = [rules.start];
  const moves = (state: GameState) =>
    rules.player(state) === CHANCE
      ? (rules.chance?.(state) ?? []).map(([outcome]) => outcome)
      : rules.legal(state);
  for (const state of states)
    if (!values.has(state.join())) {
      const returns = rules.returns(state);
      values.set(state.join(), returns?.[0] ?? 0);
      if (!returns) states.push(...moves(state).map((move) => rules.next(state, move)));
    }
  const running = [...new Map(states.map((state) => [state.join(), state])).values()]
    .filter((state) => !rules.returns(state))
    .toReversed();
  const valueOf = (state: GameState): number => {
    const next = (move: number) => values.get(rules.next(state, move).join()) ?? 0;
    if (rules.player(state) === CHANCE)
      return (rules.chance?.(state) ?? []).reduce((sum, [outcome, p]) => sum + p * next(outcome), 0);
    const options = rules.legal(state).map(next);
    return rules.player(state) === 0 ? Math.max(...options) : Math.min(...options);
  };
  for (let change = 1; change > 1e-12; ) {
    change = 0;
    for (const state of running) {
      const value = valueOf(state);
      change = Math.max(change, Math.abs(value - (values.get(state.join()) ?? 0)));
      values.set(state.join(), value);
    }
  }
  return values.get(rules.start.join()) ?? Number.NaN;
}

test("the value of the rules is that of Neller and Presser's equations", () => {
  for (const target of [2, 6, 10])
    expect((byRules(rulesTo(target)) + 1) / 2).toBeCloseTo(pigOdds(target, null, null).odds, 9);
});

test("the first player wins 53.06 % of the best games to 100, as published", () => {
  expect(pigOdds(100, null, null).odds).toBeCloseTo(0.5306, 4);
});

test("the best moves beat the rule that holds at 20, and are the best answer to themselves", () => {
  const [target, rule] = [30, holdAt(20)];
  const { odds, policy } = pigOdds(target, null, null);
  expect(pigOdds(target, policy, null).odds).toBeCloseTo(odds, 9);
  const beaten = pigOdds(target, policy, rule).odds;
  expect(beaten).toBeGreaterThan(odds);
  expect(pigOdds(target, null, rule).odds).toBeGreaterThanOrEqual(beaten);
  expect(pigOdds(target, rule, policy).odds).toBeLessThan(odds);
});

test("two players who hold at 20 win as often as the equations say", () => {
  const target = 30;
  const rules = rulesTo(target);
  const random = new Random({ seed: 1, stream: "pig" });
  const uniform = () => random.uniform();
  const games = 10_000;
  let won = 0;
  for (let game = 0; game < games; game++) {
    let state = rules.start;
    while (!rules.returns(state))
      state = afterChance(rules, rules.next(state, rules.own_rule?.move(state) ?? -1), uniform);
    won += Number(rules.returns(state)?.[0] === 1);
  }
  // The standard error is 0.005.
  expect(Math.abs(won / games - pigOdds(target, holdAt(20), holdAt(20)).odds)).toBeLessThan(0.015);
});
