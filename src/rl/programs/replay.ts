/**
 * The replay buffer inside programs. One buffer serves the whole population. It has a segment for each
 * member, and each segment is a ring. A member sees its own segment up to its latest transition. Of the other
 * segments it sees the transitions that were there at the last exchange and will not be overwritten before
 * the next.
 */
import { randomUniform } from "../../kernels/functions.ts";
import {
  add,
  cast,
  constant,
  type Dim,
  dimValue,
  equal,
  floor,
  greaterEqual,
  iota,
  less,
  lessEqual,
  minimum,
  mul,
  reshape,
  type State,
  select,
  state,
  sub,
  sum,
  sumAll,
  sym,
  type Tensor,
  takeRows,
} from "../../kernels/index.ts";
import { randomKey, SYMBOLS } from "../contract/inputs.ts";
import type { AgentSpaces } from "../spaces.ts";
import { REPLAY_FIELDS, type ReplayFieldName, replayFields } from "./replayFields.ts";
import { packed, stateType, storedShape } from "./rowLayout.ts";

const capacity = sym(SYMBOLS.capacity);
const population = sym(SYMBOLS.population);

const integer = (name: string, shape: readonly Dim[] = []) => state(name, shape, { dtype: "i32" });

/** The device buffers of the replay buffer, shared by all members of a worker. */
export function replayStates(layout: AgentSpaces): Readonly<Record<ReplayFieldName, State>> {
  const fields = replayFields(layout);
  return Object.fromEntries(
    REPLAY_FIELDS.map((name) => {
      const field = fields[name];
      const options = { dtype: stateType(field), shared: true };
      return [name, state(`replay.${name}`, [capacity, ...storedShape(field)], options)];
    }),
  ) as Record<ReplayFieldName, State>;
}

/** One transition of each lane. */
export type TransitionRows = Readonly<Record<ReplayFieldName, Tensor>>;

/** The member's own ring. */
const ring = () => ({
  slot: integer("ring.slot"),
  segment: integer("ring.segment"),
  position: integer("ring.position"),
  count: integer("ring.count"),
});

/** Rows of a segment, i32 scalar. */
export const ringSize = (): Tensor => ring().segment.read();

/** Appends one transition of every lane to the member's segment. Returns the rows written, i32 [lanes]. */
export function append(layout: AgentSpaces, rows: TransitionRows, lanes: Dim): Tensor {
  const memory = replayStates(layout);
  const fields = replayFields(layout);
  const { slot, segment, position, count } = ring();
  const size = segment.read();
  const at = position.read();
  const index = add(mul(slot.read(), size), wrap(add(iota(lanes), at), size));
  for (const name of REPLAY_FIELDS) memory[name].writeRows(index, packed(fields[name], rows[name]));
  const n = dimValue(lanes, "i32");
  position.write(wrap(add(at, n), size));
  count.write(minimum(add(count.read(), n), size));
  return index;
}

/** Wraps positions below 2 * `size` around a ring of `size`. */
export const wrap = (place: Tensor, size: Tensor): Tensor =>
  select(greaterEqual(place, size), sub(place, size), place);

/** Number of transitions that the member sees in each segment, i32 [population]. */
function visibleLengths(): Tensor {
  const { slot, count } = ring();
  return select(
    equal(iota(population), slot.read()),
    count.read(),
    integer("visible.length", [population]).read(),
  );
}

/** Number of transitions that the member can see, i32 scalar. */
export const visibleCount = (): Tensor => cast(sumAll(cast(visibleLengths(), "f32")), "i32");

/** A draw of transitions; each field is i32 [batch]. */
export interface Drawn {
  /** Row of the replay buffer. */
  readonly index: Tensor;
  /** Slot whose segment contains the row. */
  readonly owner: Tensor;
  /** Number of later rows that the member sees in that segment. */
  readonly following: Tensor;
  /** With demonstrations: whether the row is one, bool; `following` then counts those after it. */
  readonly shown?: Tensor;
  /** With hindsight: row whose achieved goal replaces the desired one, or -1. */
  readonly goal?: Tensor;
}

/** Draws uniformly, with replacement, from the transitions that the member sees. `step` numbers the draw. */
export function drawUniformly(step: Tensor): Drawn {
  const batch = sym(SYMBOLS.batch);
  const lengths = cast(visibleLengths(), "f32");
  const members = iota(population);
  // ends[j]: transitions in segments 0 .. j.
  const upTo = lessEqual(reshape(members, [1, population]), reshape(members, [population, 1]));
  const ends = sum(select(upTo, reshape(lengths, [1, population]), 0));
  const total = sumAll(lengths);
  const [u] = randomUniform(randomKey("sample", step), batch);
  const drawn = minimum(floor(mul(u, total)), sub(total, 1));
  const passed = greaterEqual(reshape(drawn, [batch, 1]), reshape(ends, [1, population]));
  const owner = cast(sum(cast(passed, "f32")), "i32");
  const offset = cast(sub(drawn, takeRows(sub(ends, lengths), owner)), "i32");
  const size = ringSize();
  const within = add(takeRows(visibleStarts(), owner), offset);
  return {
    index: add(mul(owner, size), wrap(within, size)),
    owner,
    following: sub(sub(takeRows(visibleLengths(), owner), 1), offset),
  };
}

/** Start of the part that the member sees in each segment, i32 [population]. */
function visibleStarts(): Tensor {
  const { slot, segment, position, count } = ring();
  // A full ring starts at its oldest transition, which is where the next one will be written.
  const own = select(greaterEqual(count.read(), segment.read()), position.read(), constant(0, "i32"));
  return select(equal(iota(population), slot.read()), own, integer("visible.start", [population]).read());
}

/**
 * A draw of given replay buffer rows that the member sees, i32 [batch], with the slots whose segments contain
 * them.
 */
export function drawnAt(index: Tensor, owner: Tensor): Drawn {
  const size = ringSize();
  const place = sub(index, mul(owner, size));
  const ahead = sub(place, takeRows(visibleStarts(), owner));
  const offset = select(less(ahead, 0), add(ahead, size), ahead);
  return { index, owner, following: sub(sub(takeRows(visibleLengths(), owner), 1), offset) };
}

/** Number of earlier rows that the member sees in the drawn rows' segments, i32 [batch]. */
export const preceding = ({ owner, following }: Drawn): Tensor =>
  sub(sub(takeRows(visibleLengths(), owner), 1), following);

/**
 * Rows of the replay buffer at a distance from the drawn ones in their rings.
 * @param places How far after the drawn rows, i32 [batch]; negative for rows before them.
 */
export function shifted({ index, owner }: Pick<Drawn, "index" | "owner">, places: Tensor): Tensor {
  const size = ringSize();
  const base = mul(owner, size);
  const place = add(sub(index, base), places);
  return add(base, wrap(select(less(place, 0), add(place, size), place), size));
}

/** 1 for rows (i32 [n]) after which their lane begins another episode. */
export const episodeEnds = (rows: Tensor): Tensor =>
  takeRows(state("replay.ended", [capacity], { shared: true }).read(), rows);
