/**
 * The replay memory inside programs. One memory serves the population: it is cut into a segment per
 * member, each a ring. A member sees its own segment up to its latest transition, and of the others what
 * stood there at the last exchange and will not be overwritten before the next.
 */
import { randomUniform } from "../../kernels/functions/random.ts";
import type { Dim, Tensor } from "../../kernels/index.ts";
import {
  add,
  cast,
  constant,
  dimValue,
  equal,
  floor,
  greaterEqual,
  iota,
  lessEqual,
  minimum,
  mul,
  reshape,
  select,
  state,
  sub,
  sum,
  sumAll,
  sym,
  takeRows,
} from "../../kernels/index.ts";
import type { Batch } from "../algorithms/algorithm.ts";
import type { Space } from "../spaces/index.ts";
import { randomKey, SYMBOLS } from "./inputs.ts";

/** What a transition holds, and the shape of a row. */
export interface TransitionLayout {
  readonly observation_space: Space;
  readonly action_space: Space;
}

const capacity = sym(SYMBOLS.capacity);
const population = sym(SYMBOLS.population);

const integer = (name: string, shape: readonly Dim[] = []) => state(name, shape, { dtype: "i32" });

/** The buffers of the memory, the same for all members of a worker. */
export function replayStates({ observation_space, action_space }: TransitionLayout) {
  const shared = { shared: true } as const;
  const observation = [capacity, ...observation_space.shape];
  return {
    obs: state("replay.obs", observation, shared),
    next_obs: state("replay.next_obs", observation, shared),
    action:
      action_space.kind === "Box"
        ? state("replay.action", [capacity, ...action_space.shape], shared)
        : state("replay.action", [capacity, ...action_space.shape], { dtype: "i32", shared: true }),
    reward: state("replay.reward", [capacity], shared),
    done: state("replay.done", [capacity], shared),
  };
}

/** Names of the memory's buffers. */
export const REPLAY_BUFFERS = ["obs", "next_obs", "action", "reward", "done"] as const;

/** The member's own ring. */
const ring = () => ({
  slot: integer("ring.slot"),
  segment: integer("ring.segment"),
  position: integer("ring.position"),
  count: integer("ring.count"),
});

/** Appends one transition of every lane to the member's segment. */
export function append(layout: TransitionLayout, rows: Batch, lanes: Dim): void {
  const memory = replayStates(layout);
  const { slot, segment, position, count } = ring();
  const size = segment.read();
  const wrap = (i: Tensor) => select(greaterEqual(i, size), sub(i, size), i);
  const at = position.read();
  const index = add(mul(slot.read(), size), wrap(add(iota(lanes), at)));
  for (const name of REPLAY_BUFFERS) memory[name].writeRows(index, rows[name]);
  const n = dimValue(lanes, "i32");
  position.write(wrap(add(at, n)));
  count.write(minimum(add(count.read(), n), size));
}

/** Lengths of what the member sees in each segment, i32 [population]. */
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

/** A batch drawn uniformly, with replacement, from what the member sees. `step` numbers the draw. */
export function sample(layout: TransitionLayout, step: Tensor): Batch {
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
  const { slot, segment, position, count } = ring();
  const size = segment.read();
  // A full ring starts at its oldest transition, which lies where the next one will be written.
  const ownStart = select(greaterEqual(count.read(), size), position.read(), constant(0, "i32"));
  const starts = select(equal(members, slot.read()), ownStart, integer("visible.start", [population]).read());
  const within = add(takeRows(starts, owner), offset);
  const wrapped = select(greaterEqual(within, size), sub(within, size), within);
  const index = add(mul(owner, size), wrapped);
  const memory = replayStates(layout);
  const take = (name: (typeof REPLAY_BUFFERS)[number]) => takeRows(memory[name].read(), index);
  return {
    obs: take("obs"),
    next_obs: take("next_obs"),
    action: take("action"),
    reward: take("reward"),
    done: take("done"),
  };
}
