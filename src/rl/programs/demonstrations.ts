/**
 * Demonstrations: rows of a data set that follow the members' segments in the replay buffer. Off-policy members draw a
 * part of each batch from them (symmetric sampling; Ball et al. 2023, arXiv 2302.02948, section 4.1).
 */
import { randomUniform } from "../../kernels/functions.ts";
import {
  add,
  cast,
  dimValue,
  floor,
  iota,
  less,
  maximum,
  minimum,
  mul,
  select,
  state,
  sub,
  sym,
  type Tensor,
} from "../../kernels/index.ts";
import { randomKey, SYMBOLS } from "../contract/inputs.ts";
import type { Drawn } from "./replay.ts";

/** Names of i32 scalars: the first row of the demonstrations, and how many there are. */
export const DEMONSTRATIONS = { first: "demonstrations.first", count: "demonstrations.count" } as const;

const batch = sym(SYMBOLS.batch);
const scalar = (name: keyof typeof DEMONSTRATIONS): Tensor =>
  state(DEMONSTRATIONS[name], [], { dtype: "i32" }).read();

/**
 * Rows of a batch that are demonstrations, i32 scalar: its part `share`, rounded, but at least one row of either kind. A
 * batch of one row has none.
 */
export function demonstratedRows(share: number): Tensor {
  const rows = dimValue(batch, "i32");
  const wanted = cast(floor(add(mul(dimValue(batch), share), 0.5)), "i32");
  return minimum(maximum(wanted, 1), sub(rows, 1));
}

/** 1 for the rows of a batch that are demonstrations, bool [batch]: the first ones. */
export const areDemonstrated = (share: number): Tensor => less(iota(batch), demonstratedRows(share));

/** Places among the demonstrations, i32 [batch], uniform and with replacement. `step` numbers the draw. */
function places(step: Tensor): Tensor {
  const count = scalar("count");
  const [u] = randomUniform(randomKey("sample", step), batch);
  return minimum(cast(floor(mul(u, cast(count, "f32"))), "i32"), sub(count, 1));
}

/** A batch of demonstrations alone. Their single steps need no more than their rows. */
export function drawDemonstrations(step: Tensor): Drawn {
  const index = add(scalar("first"), places(step));
  return { index, owner: index, following: index };
}

/** The draw with its first rows replaced by demonstrations, from the same random numbers. */
export function withDemonstrations(drawn: Drawn, share: number, step: Tensor): Drawn {
  const shown = areDemonstrated(share);
  const place = places(step);
  return {
    ...drawn,
    index: select(shown, add(scalar("first"), place), drawn.index),
    following: select(shown, sub(sub(scalar("count"), 1), place), drawn.following),
    shown,
  };
}
