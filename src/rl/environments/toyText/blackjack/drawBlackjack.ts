import type { DrawingContext, DrawingTheme } from "../../drawing/drawing.ts";
import { at, bar, chevron, scene } from "../../drawing/scene.ts";

const BEST = 21;
const WORST = 31;
const DEALER_STANDS = 17;
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
export const drawBlackjack = scene(
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
