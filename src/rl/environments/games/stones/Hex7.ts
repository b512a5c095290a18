import {
  add,
  and,
  bitOr,
  bitXor,
  cast,
  type Dim,
  equal,
  floor,
  iota,
  max,
  maxAll,
  mul,
  reshape,
  scan,
  select,
  sub,
  type Tensor,
} from "../../../../kernels/index.ts";
import { type Bits, both, either, packed, shifted, strideOf, unpacked } from "../bitboards.ts";
import { boardGlyph } from "../boardGlyph.ts";
import { drawHex } from "./drawHex.ts";
import { CELLS, GRID, hex7, NEIGHBOURS } from "./hexRules.ts";
import { stoneGame } from "./stoneGame.ts";

const STEPS = NEIGHBOURS.map(([down, right]) => down * strideOf(GRID) + right);

/** The stones that are connected with the given ones. */
function connectedWith(from: Bits, own: Bits): Bits {
  const spread = (stones: Bits) =>
    both(STEPS.map((step) => shifted(stones, step)).reduce(either, stones), own);
  return scan({ count: CELLS, carry: from }, (stones) => {
    const more = spread(stones);
    const grown = more.map((word, i) => bitXor(word, stones[i] as Tensor)).reduce(bitOr);
    return { carry: more, until: equal(maxAll(cast(grown, "f32")), 0) };
  }).carry;
}

/** Whether the stones that are connected with a player's last one reach both of its sides, bool [n]. */
function connects(own: Bits, cell: Tensor, mover: Tensor): Tensor {
  const n = mover.shape[0] as Dim;
  const stone = cast(equal(iota(CELLS), reshape(cell, [n, 1])), "f32");
  const connected = cast(unpacked(connectedWith(packed(stone, GRID), own), GRID), "f32");
  const cells = cast(iota(CELLS), "f32");
  const row = floor(mul(add(cells, 0.5), 1 / GRID.cols));
  const along = select(equal(reshape(mover, [n, 1]), 0), row, sub(cells, mul(row, GRID.cols)));
  const reaches = (line: number) => equal(max(mul(connected, cast(equal(along, line), "f32"))), 1);
  return and(reaches(0), reaches(GRID.rows - 1));
}

/** Hex as tensors. */
export const Hex7 = stoneGame({
  rules: hex7,
  grid: GRID,
  wins: connects,
  draw: drawHex(GRID),
  glyph: boardGlyph(
    "M16 9l5-3 5 3v6l-5 3-5-3zM26 9l5-3 5 3v6l-5 3-5-3zM36 9l5-3 5 3v6l-5 3-5-3zM21 18l5-3 5 3v6l-5 3-5-3zM31 18l5-3 5 3v6l-5 3-5-3zM41 18l5-3 5 3v6l-5 3-5-3zM26 27l5-3 5 3v6l-5 3-5-3zM36 27l5-3 5 3v6l-5 3-5-3zM46 27l5-3 5 3v6l-5 3-5-3z",
    [
      [31, 12],
      [36, 21],
      [31, 30],
    ],
    [
      [46, 21],
      [41, 30],
    ],
  ),
});
