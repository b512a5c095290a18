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
  zeros,
} from "../../../../kernels/index.ts";
import { type Bits, both, either, packed, shifted, strideOf, unpacked } from "../bitboards.ts";
import { boardGlyph } from "../boardGlyph.ts";
import { moverStone, observeStones, ownStones, placed } from "../boards.ts";
import { compiledGame } from "../compiledGame.ts";
import { drawHex } from "./drawHex.ts";
import { CELLS, GRID, hex7, NEIGHBOURS } from "./rules.ts";

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

/** Hex as tensors. `winner` is the winner's stone, 0 for none. */
export const Hex7 = compiledGame({
  rules: hex7,
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
  frame_rate: 2,
  variables: ["board", "winner"],
  variableShapes: { board: [CELLS] },
  resetDraws: 0,
  stepDraws: 0,
  reset: (_draws, n) => ({ board: zeros([n, CELLS]), winner: zeros([n]), mover: zeros([n]) }),
  observe: ({ board, mover }) => observeStones(board, mover, GRID),
  legal: ({ board }) => cast(equal(board, 0), "f32"),
  step: ({ board, mover }, cell) => {
    const n = mover.shape[0] as Dim;
    const after = placed(board, cell, mover);
    const stone = cast(equal(iota(CELLS), reshape(cell, [n, 1])), "f32");
    const connected = cast(
      unpacked(connectedWith(packed(stone, GRID), packed(ownStones(after, mover), GRID)), GRID),
      "f32",
    );
    const cells = cast(iota(CELLS), "f32");
    const row = floor(mul(add(cells, 0.5), 1 / GRID.cols));
    const along = select(equal(reshape(mover, [n, 1]), 0), row, sub(cells, mul(row, GRID.cols)));
    const reaches = (line: number) => equal(max(mul(connected, cast(equal(along, line), "f32"))), 1);
    const wins = and(reaches(0), reaches(GRID.rows - 1));
    return {
      state: {
        board: after,
        winner: select(wins, reshape(moverStone(mover), [n]), 0),
        mover: sub(1, mover),
      },
      reward: cast(wins, "f32"),
      terminated: wins,
    };
  },
});
