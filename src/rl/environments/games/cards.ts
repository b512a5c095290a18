/** Cards that are dealt one after another from a deck of numbered cards; -1 for a card that is not dealt yet. */
import {
  add,
  cast,
  type Dim,
  equal,
  greaterEqual,
  iota,
  maximum,
  minimum,
  reshape,
  type Tensor,
} from "../../../kernels/index.ts";
import { drawInteger } from "../dynamics/numbers.ts";
import type { ChanceOutcome } from "../face/GameRules.ts";

export const HIDDEN = -1;

/** 1 at the index, 0 elsewhere; all 0 for {@link HIDDEN}. */
export const oneHot = (index: number, size: number): number[] =>
  Array.from({ length: size }, (_, i) => Number(i === index));

/** The same as tensors. @param index f32 [n]. @returns f32 [n, size]. */
export const oneHots = (index: Tensor, size: number): Tensor =>
  cast(equal(cast(iota(size), "f32"), reshape(index, [index.shape[0] as Dim, 1])), "f32");

/** The cards of the deck that are left, all equally likely. */
export function cardsLeft(deck: number, dealt: readonly number[]): ChanceOutcome[] {
  const left = Array.from({ length: deck }, (_, card) => card).filter((card) => !dealt.includes(card));
  return left.map((card) => [card, 1 / left.length]);
}

/** One of the cards that are left, by a uniform draw: f32 [n]. @param dealt None, one or two cards, f32 [n]. */
export function dealtCard(draw: Tensor, deck: number, [first, second]: readonly Tensor[] = []): Tensor {
  const card = drawInteger(draw, deck - (first ? 1 : 0) - (second ? 1 : 0));
  const after = (place: Tensor, taken: Tensor) => add(place, cast(greaterEqual(place, taken), "f32"));
  if (!first) return card;
  if (!second) return after(card, first);
  return after(after(card, minimum(first, second)), maximum(first, second));
}
