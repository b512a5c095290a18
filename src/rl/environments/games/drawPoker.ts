import type { DrawEnvironment, DrawingContext, DrawingTheme } from "../drawing/drawing.ts";
import { at, bar, disc, scene } from "../drawing/scene.ts";
import { HIDDEN } from "./cards.ts";

/** What a poker game's states show. */
export interface PokerDrawing {
  readonly ranks: number;
  /** Suits of a rank; cards of one rank follow each other. */
  readonly suits: number;
  /** Place of the table's card in a state (default: there is none). */
  readonly table?: number;
  /** Chips that each player has put in. */
  readonly chips: (state: ArrayLike<number>) => readonly [first: number, second: number];
}

const [WIDTH, HEIGHT] = [1.5, 2.1] as const;
const PIP = 0.16;
/** Heights of the pips of each rank, from the card's centre. */
const PIPS: readonly (readonly number[])[] = [[0], [-0.35, 0.35], [-0.55, 0, 0.55]];
const CHIP = { width: 0.62, height: 0.16, step: 0.26 } as const;

/** A card with a pip for each rank, as rings in the second suit; without a number, its outline. */
function drawCard(
  context: DrawingContext,
  [x, y]: readonly [number, number],
  card: { readonly rank: number; readonly suit: number } | null,
  color: string,
  theme: DrawingTheme,
): void {
  context.beginPath();
  context.roundRect(x - WIDTH / 2, y - HEIGHT / 2, WIDTH, HEIGHT, 0.18);
  context.globalAlpha = card ? 0.16 : 0.06;
  context.fillStyle = theme.muted;
  context.fill();
  context.globalAlpha = card ? 1 : 0.4;
  context.lineWidth = 0.07;
  context.strokeStyle = card ? color : theme.muted;
  context.stroke();
  context.globalAlpha = 1;
  if (!card) return;
  for (const height of PIPS[card.rank] ?? []) {
    disc(context, x, y + height, PIP, color);
    if (card.suit === 1) disc(context, x, y + height, PIP * 0.5, theme.ground);
  }
}

/**
 * Both players' cards, with the table's between them, and the chips that each has put in. The first player's are on the
 * left in the page's accent. All cards are open: the picture is a spectator's.
 */
export function drawPoker({ ranks, suits, table, chips }: PokerDrawing): DrawEnvironment {
  const [apart, half] = table === undefined ? [1.3, 3.3] : [2.1, 4.8];
  const cardOf = (number: number) =>
    number <= HIDDEN ? null : { rank: Math.min(ranks - 1, Math.floor(number / suits)), suit: number % suits };
  return scene({ left: -half, right: half, bottom: -1.5, top: 1.5 }, (context, state, _action, theme) => {
    const colors = [theme.accent, theme.ink];
    const put = chips(state);
    for (const [player, color] of colors.entries()) {
      const side = player === 0 ? -1 : 1;
      drawCard(context, [side * apart, 0], cardOf(Math.round(at(state, player))), color, theme);
      const x = side * (apart + 1.35);
      for (let chip = 0; chip < (put[player] ?? 0); chip++) {
        const y = -HEIGHT / 2 + CHIP.height / 2 + (chip % 8) * CHIP.step;
        const shift = side * Math.floor(chip / 8) * 0.85;
        bar(
          context,
          [x + shift - CHIP.width / 2 + 0.08, y],
          [x + shift + CHIP.width / 2 - 0.08, y],
          CHIP.height,
          color,
        );
      }
    }
    if (table !== undefined)
      drawCard(context, [0, 0], cardOf(Math.round(at(state, table))), theme.ink, theme);
  });
}
