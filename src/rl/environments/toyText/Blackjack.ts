/** Blackjack: its drawing, its rules and its definition. */
import { z } from "zod";
import {
  add,
  and,
  broadcastTo,
  cast,
  equal,
  greater,
  less,
  lessEqual,
  maximum,
  minimum,
  mul,
  not,
  or,
  select,
  stackColumns,
  sub,
  type Tensor,
  zeros,
} from "../../../kernels/index.ts";
import { Discrete, Tuple } from "../../spaces.ts";
import { withArguments } from "../definition/compiledEnvironment.ts";
import { randomEnvironment } from "../definition/randomEnvironment.ts";
import type { DrawingContext, DrawingTheme } from "../drawing/drawing.ts";
import { at, bar, chevron, scene } from "../drawing/scene.ts";
import { drawInteger } from "../dynamics/numbers.ts";

const WORST = 31;
const HEIGHT = 3;

/** A hand as a bar of points in slots of one point; the extra points of an ace are lighter. */
function hand(
  context: DrawingContext,
  bottom: number,
  { sum, ace }: { readonly sum: number; readonly ace: boolean },
  color: string,
  theme: DrawingTheme,
): void {
  const extra = ace && sum + 10 <= BEST ? 10 : 0;
  const piece = (from: number, width: number, alpha: number, fill: string): void => {
    context.globalAlpha = alpha;
    context.fillStyle = fill;
    context.beginPath();
    context.rect(from, bottom, width, HEIGHT);
    context.fill();
  };
  piece(0, BEST, 0.16, theme.muted);
  piece(0, Math.min(sum, WORST), 1, color);
  piece(sum, extra, 0.45, color);
  context.globalAlpha = 1;
  for (let x = 1; x < WORST; x++) bar(context, [x, bottom], [x, bottom + HEIGHT], 0.16, theme.ground);
}

/**
 * Two hands as bars of points, with the dealer's above; its other cards are shown after the player sticks.
 * The long line is at 21, the short line where the dealer stands. State: the player's sum, ace and cards; the
 * dealer's card, sum and ace.
 */
const drawBlackjack = scene(
  { left: -2.5, right: WORST + 1, bottom: -2, top: 10 },
  (context, state, action, theme) => {
    const [sum, ace, , card, dealerSum, dealerAce] = Array.from({ length: 6 }, (_, i) => at(state, i)) as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    const stuck = action === 0;
    const dealer = stuck ? { sum: dealerSum, ace: dealerAce > 0.5 } : { sum: card, ace: card === 1 };
    hand(context, 5, dealer, theme.ink, theme);
    hand(context, 0, { sum, ace: ace > 0.5 }, theme.accent, theme);
    bar(context, [BEST, -0.8], [BEST, 8.8], 0.18, theme.muted);
    bar(context, [DEALER_STANDS, 8.2], [DEALER_STANDS, 8.8], 0.18, theme.muted);
    if (action === 1) chevron(context, -0.6, 1.5, 1, 0.7, theme.accent);
    if (stuck) bar(context, [-1, 0.7], [-1, 2.3], 0.35, theme.accent);
  },
);

const ID = "Blackjack-v1";

const Arguments = {
  /** Whether a winning natural (an ace and a ten) earns 1.5. No effect if `sab` is true. */
  natural: z.boolean().default(false),
  /** Whether a natural wins against everything except another natural, as in Sutton and Barto. */
  sab: z.boolean().default(true),
};

const HIT = 1;
const BEST = 21;
/** Extra points of an ace that counts 11, which it does while the hand stays within 21. */
const USABLE = 10;
/** The dealer draws cards below this total. */
const DEALER_STANDS = 17;

/**
 * Upper bound of the cards that the dealer draws. Aces make a hand grow slowest. But with an ace, a sum of 7
 * to 11 counts as 17 to 21, and the dealer stands. So the longest hand is two aces, four more aces (16), a
 * six (hard 12) and five aces (17).
 */
export const DEALER_DRAWS = 10;

/**
 * Longer than any episode: after two aces, the nineteenth further ace makes 21, and the next card exceeds it.
 */
const MAX_STEPS = 21;

/** A hand in every lane, all f32 [num_envs]. Aces count as 1. */
interface Hand {
  readonly sum: Tensor;
  /** 1 if the hand has an ace. */
  readonly ace: Tensor;
}

/** A card of an infinite deck: 1 (ace) to 10; face cards count 10. */
const cardOf = (draw: Tensor): Tensor => minimum(add(drawInteger(draw, 13), 1), 10);

const isAce = (card: Tensor): Tensor => cast(equal(card, 1), "f32");

const handOf = (first: Tensor, second: Tensor): Hand => ({
  sum: add(first, second),
  ace: maximum(isAce(first), isAce(second)),
});

/** The hand with one more card in lanes where `drawing` (bool [num_envs]) is true. */
const withCard = ({ sum, ace }: Hand, card: Tensor, drawing: Tensor): Hand => ({
  sum: select(drawing, add(sum, card), sum),
  ace: select(drawing, maximum(ace, isAce(card)), ace),
});

/** 1 if an ace of the hand counts 11. */
const usableAce = ({ sum, ace }: Hand): Tensor => mul(ace, cast(lessEqual(sum, BEST - USABLE), "f32"));

const total = (hand: Hand): Tensor => add(hand.sum, mul(usableAce(hand), USABLE));

/** The score by which hands are compared; 0 if the hand is bust. */
const score = (hand: Hand): Tensor => select(greater(hand.sum, BEST), 0, total(hand));

const sign = (x: Tensor): Tensor => sub(cast(greater(x, 0), "f32"), cast(less(x, 0), "f32"));

/** Whether two cards are an ace and a ten. */
const isNatural = ({ sum, ace }: Hand): Tensor => and(equal(sum, 11), equal(ace, 1));

/** The dealer's hand after all its cards. */
const played = (dealer: Hand, draws: readonly Tensor[]): Hand =>
  draws.reduce<Hand>((hand, draw) => withCard(hand, cardOf(draw), less(total(hand), DEALER_STANDS)), dealer);

/**
 * Blackjack against a dealer with an infinite deck (Sutton and Barto, example 5.1): stick (0) or hit (1).
 * Reward at the end: 1, 0 or -1. By default, a natural (an ace and a ten) wins unless the dealer also has
 * one.
 */
export const Blackjack = withArguments(ID, Arguments, ({ natural, sab }) =>
  randomEnvironment({
    id: ID,
    observation_space: new Tuple([new Discrete(32), new Discrete(11), new Discrete(2)]),
    action_space: new Discrete(2),
    observation_names: ["sum of the hand", "dealer's card", "usable ace"],
    action_names: ["stick", "hit"],
    max_episode_steps: MAX_STEPS,
    reward_threshold: null,
    draw: drawBlackjack,
    frame_rate: 4,
    variables: ["player_sum", "player_ace", "player_cards", "dealer_card", "dealer_sum", "dealer_ace"],
    resetDraws: 4,
    stepDraws: DEALER_DRAWS,
    reset: (draws, num_envs) => {
      const [shown, hidden, first, second] = draws.map(cardOf) as [Tensor, Tensor, Tensor, Tensor];
      const [dealer, player] = [handOf(shown, hidden), handOf(first, second)];
      return {
        player_sum: player.sum,
        player_ace: player.ace,
        player_cards: broadcastTo(2, [num_envs]),
        dealer_card: shown,
        dealer_sum: dealer.sum,
        dealer_ace: dealer.ace,
      };
    },
    observe: ({ player_sum, player_ace, dealer_card }) => {
      const player = { sum: player_sum, ace: player_ace };
      return stackColumns([total(player), dealer_card, usableAce(player)]);
    },
    step: (state, action, draws) => {
      const hit = equal(action, HIT);
      const before = { sum: state.player_sum, ace: state.player_ace };
      const player = withCard(before, cardOf(draws[0] as Tensor), hit);
      const bust = greater(player.sum, BEST);
      // The dealer has not drawn yet and holds two cards.
      const dealt = { sum: state.dealer_sum, ace: state.dealer_ace };
      const dealer = played(dealt, draws);
      const compared = sign(sub(score(before), score(dealer)));
      const hasNatural = and(isNatural(before), equal(state.player_cards, 2));
      const beats = sab
        ? not(isNatural(dealt))
        : natural
          ? greater(compared, 0)
          : zeros(compared.shape, "bool");
      const outcome = select(and(hasNatural, beats), sab ? 1 : 1.5, compared);
      return {
        state: {
          player_sum: player.sum,
          player_ace: player.ace,
          player_cards: add(state.player_cards, cast(hit, "f32")),
          dealer_card: state.dealer_card,
          dealer_sum: select(hit, dealt.sum, dealer.sum),
          dealer_ace: select(hit, dealt.ace, dealer.ace),
        },
        reward: select(hit, select(bust, -1, 0), outcome),
        terminated: or(not(hit), bust),
      };
    },
  }),
);
