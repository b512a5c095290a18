import { describe, expect, it } from "vitest";
import { Blackjack } from "../../../../../src/agents/index.ts";
import { Random } from "../../../../../src/evolution/random.ts";
import { DEALER_DRAWS } from "../../../../../src/rl/environments/toyText/Blackjack.ts";
import { make } from "../../../../../src/rl/environments.ts";
import { resetLanes, stepLanes } from "../stepLanes.ts";

/** The rules of Sutton and Barto, example 5.1, on hands of cards, with the defaults of Gymnasium's page. */
const DECK = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10];
type Cards = readonly number[];

const raw = (cards: Cards): number => cards.reduce((sum, card) => sum + card, 0);
const usable = (cards: Cards): boolean => cards.includes(1) && raw(cards) + 10 <= 21;
const points = (cards: Cards): number => raw(cards) + (usable(cards) ? 10 : 0);
const natural = (cards: Cards): boolean => cards.length === 2 && points(cards) === 21;
const cardOf = (draw: number): number => DECK[Math.floor(draw * 13)] as number;
/** A draw that maps to a card: the middle of its interval. */
const drawOf = (card: number): number => (DECK.indexOf(card) + 0.5) / 13;

function stick(player: Cards, dealt: Cards, draws: readonly number[]): { dealer: Cards; reward: number } {
  const dealer = [...dealt];
  const rest = [...draws];
  while (points(dealer) < 17) dealer.push(cardOf(rest.shift() as number));
  const [mine, its] = [player, dealer].map((hand) => (points(hand) > 21 ? 0 : points(hand))) as [
    number,
    number,
  ];
  if (natural(player) && !natural(dealt)) return { dealer, reward: 1 };
  return { dealer, reward: Math.sign(mine - its) };
}

const stateOf = (player: Cards, dealer: Cards): number[] => [
  raw(player),
  player.includes(1) ? 1 : 0,
  player.length,
  dealer[0] as number,
  raw(dealer),
  dealer.includes(1) ? 1 : 0,
];

const seen = (player: Cards, dealer: Cards): number[] => [
  points(player),
  dealer[0] as number,
  usable(player) ? 1 : 0,
];

/** Steps the program from given hands, and computes the expected results from the rules. */
function played(
  cases: readonly { player: Cards; dealer: Cards; action: number; draws: readonly number[] }[],
) {
  const found = stepLanes(
    Blackjack,
    cases.map(({ player, dealer, action, draws }) => ({ state: stateOf(player, dealer), action, draws })),
  );
  const expected = cases.map(({ player, dealer, action, draws }) => {
    if (action === 1) {
      const hand = [...player, cardOf(draws[0] as number)];
      const bust = points(hand) > 21;
      return {
        state: stateOf(hand, dealer),
        observation: seen(hand, dealer),
        reward: bust ? -1 : 0,
        terminated: bust,
      };
    }
    const end = stick(player, dealer, draws);
    return {
      state: stateOf(player, end.dealer),
      observation: seen(player, dealer),
      reward: end.reward,
      terminated: true,
    };
  });
  return { found, expected };
}

describe("Blackjack-v1", () => {
  it("follows the rules from hands of every kind, card by card", () => {
    const random = new Random({ seed: 7 });
    const draw = (): number => random.integer(2 ** 24) / 2 ** 24;
    const card = (): number => cardOf(draw());
    const cases = Array.from({ length: 4000 }, () => {
      const player = [card(), card()];
      while (random.integer(3) > 0) {
        const next = card();
        if (points([...player, next]) > 21) break;
        player.push(next);
      }
      const draws = Array.from({ length: DEALER_DRAWS }, draw);
      return { player, dealer: [card(), card()], action: random.integer(2), draws };
    });
    const { found, expected } = played(cases);
    expect(found).toEqual(expected);
    // The cases must cover all outcomes.
    const outcomes = expected.map(
      ({ reward, terminated }, i) => `${cases[i]?.action} ${reward} ${terminated}`,
    );
    expect(new Set(outcomes)).toEqual(
      new Set(["0 -1 true", "0 0 true", "0 1 true", "1 -1 true", "1 0 false"]),
    );
  });

  it("lets an ace and a ten beat 21 of more cards, and draw against another ace and ten", () => {
    const nothing = Array.from({ length: DEALER_DRAWS }, () => drawOf(5));
    const against = (player: Cards, dealer: Cards, draws: readonly number[]): number =>
      stepLanes(Blackjack, [{ state: stateOf(player, dealer), action: 0, draws }])[0]?.reward as number;
    const to21 = [drawOf(5), ...nothing];
    expect(against([1, 10], [10, 6], to21)).toBe(1);
    expect(against([10, 1], [1, 10], nothing)).toBe(0);
    expect(against([1, 5, 5], [1, 10], nothing)).toBe(0);
    expect(against([1, 5, 5], [10, 6], to21)).toBe(0);
  });

  it("has draws for the dealer's longest hand, and no more", () => {
    const longest = new Map<string, number>();
    const draws = (cards: Cards): number => {
      if (points(cards) >= 17) return 0;
      const key = `${raw(cards)} ${cards.includes(1)}`;
      const known = longest.get(key);
      if (known !== undefined) return known;
      const most = 1 + Math.max(...DECK.map((card) => draws([...cards, card])));
      longest.set(key, most);
      return most;
    };
    expect(Math.max(...DECK.flatMap((a) => DECK.map((b) => draws([a, b]))))).toBe(DEALER_DRAWS);
    const cards = [1, 1, 1, 1, 6, 1, 1, 1, 1, 1];
    const { found, expected } = played([
      { player: [10, 8], dealer: [1, 1], action: 0, draws: cards.map(drawOf) },
    ]);
    expect(found).toEqual(expected);
    expect(found[0]?.state.slice(4)).toEqual([17, 1]);
    expect(found[0]?.reward).toBe(1);
  });

  it("deals four cards, each of thirteen ranks equally likely", () => {
    const draws = Array.from({ length: 13 * 40 }, (_, i) => i / (13 * 40));
    const random = new Random({ seed: 1 });
    const hands = draws.map((draw) => [draw, random.uniform(), random.uniform(), random.uniform()]);
    const starts = resetLanes(Blackjack, hands);
    const shown = starts.map(({ state }) => state[3]);
    const count = (card: number): number => shown.filter((found) => found === card).length;
    expect([1, 2, 3, 4, 5, 6, 7, 8, 9].map(count)).toEqual(Array.from({ length: 9 }, () => 40));
    expect(count(10)).toBe(160);
    for (const [i, { state, observation }] of starts.entries()) {
      const [a, b, c, d] = (hands[i] as number[]).map(cardOf) as [number, number, number, number];
      expect({ state, observation }).toEqual({
        state: stateOf([c, d], [a, b]),
        observation: seen([c, d], [a, b]),
      });
    }
  });

  it("is over before its time limit, however slowly the cards come", () => {
    const env = make("Blackjack-v1");
    env.setState([2, 1, 2, 10, 20, 0]);
    const hands: { truncated: boolean; terminated: boolean }[] = [];
    // Only aces: the state is set to one more ace after each card.
    for (let aces = 3; aces <= 21; aces++) {
      hands.push(env.step(1));
      env.setState([aces, 1, aces, 10, 20, 0]);
    }
    hands.push(env.step(0));
    expect(hands.map(({ truncated }) => truncated)).toEqual(hands.map(() => false));
    expect(hands).toHaveLength(20);
    expect(hands.at(-1)?.terminated).toBe(true);
  });
});
