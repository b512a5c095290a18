/**
 * Positions of self-play that are learnt from: a ring of vector steps in the order in which they were played. It belongs to
 * the lanes, so that games that go on in a later turn tell their end to the positions of earlier ones.
 */
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
  mulDims,
  type State,
  scan,
  select,
  state,
  sub,
  sym,
  type Tensor,
  takeRows,
  zeros,
} from "../../kernels/index.ts";
import { SYMBOLS } from "../contract/inputs.ts";
import type { CompiledEnvironment } from "../environments/definition/compiledEnvironment.ts";
import { choicesOf, elementSize } from "../spaces.ts";
import { POSITIONS } from "./laneBuffers.ts";
import { lanes } from "./lanes.ts";

/** Vector steps that the ring holds. */
const capacity = sym(SYMBOLS.capacity);
const rows = mulDims(capacity, lanes);

/** Positions, [n, ...]. */
export interface Position {
  /** What the player to move sees, [n, numbers]. */
  readonly obs: Tensor;
  /** The search's improved policy, and 1 for legal actions, [n, actions]. */
  readonly policy: Tensor;
  readonly mask: Tensor;
  /** The search's value for the player to move, [n]. */
  readonly value: Tensor;
  /** What the first player got by the move, [n]. */
  readonly reward: Tensor;
  /** 1 for moves of the first player, -1 for those of the second, [n]. */
  readonly sign: Tensor;
  /** 1 where the move ended the game, else 0, [n]. */
  readonly done: Tensor;
}

/** Positions with what their games came to. */
export interface JudgedPosition extends Position {
  /** For the player who moved; 0 where it is not known, [n]. */
  readonly returns: Tensor;
  /** 1 where it is known, else 0, [n]. */
  readonly known: Tensor;
}

/** The ring's columns, and those that {@link judgePositions} writes. */
function columnsOf({ observation_space, action_space }: CompiledEnvironment) {
  const actions = choicesOf(action_space);
  const kept = (name: keyof Position, ...width: number[]) => state(`${POSITIONS}${name}`, [rows, ...width]);
  const judged = (name: "returns" | "known") => state(`judged.${name}`, [rows]);
  return {
    obs: kept("obs", elementSize(observation_space)),
    policy: kept("policy", actions),
    mask: kept("mask", actions),
    value: kept("value"),
    reward: kept("reward"),
    sign: kept("sign"),
    done: kept("done"),
    returns: judged("returns"),
    known: judged("known"),
  } satisfies Record<keyof JudgedPosition, State>;
}

const count = (name: "next" | "filled"): State => state(`${POSITIONS}${name}`, [], { dtype: "i32" });

/** Rows of the lanes in a vector step of the ring, i32 [num_envs]. */
const rowsOf = (step: Tensor): Tensor => add(mul(step, dimValue(lanes, "i32")), iota(lanes));

/** Adds the positions of a vector step, instead of the oldest ones if the ring is full. */
export function keepPositions(env: CompiledEnvironment, position: Position): void {
  const [next, filled] = [count("next"), count("filled")];
  const [step, most] = [next.read(), dimValue(capacity, "i32")];
  const columns = columnsOf(env);
  for (const [name, values] of Object.entries(position) as [keyof Position, Tensor][])
    columns[name].writeRows(rowsOf(step), values);
  const after = add(step, 1);
  next.write(select(less(after, most), after, 0));
  filled.write(minimum(add(filled.read(), 1), most));
}

/** Tells all positions what their games came to, from the last step back to the first one. */
export function judgePositions(env: CompiledEnvironment): void {
  const last = sub(count("next").read(), 1);
  const nothing = zeros([lanes]);
  scan({ count: count("filled").read(), carry: [nothing, nothing] }, ([later, ends], _x, t) => {
    const { returns, known, ...columns } = columnsOf(env);
    const place = sub(last, t);
    const index = rowsOf(select(less(place, 0), add(place, dimValue(capacity, "i32")), place));
    const at = (name: "done" | "reward" | "sign") => takeRows(columns[name].read(), index);
    const end = at("done");
    const goes = sub(1, end);
    const isKnown = maximum(mul(ends as Tensor, goes), end);
    const result = add(at("reward"), mul(later as Tensor, goes));
    returns.writeRows(index, mul(mul(result, at("sign")), isKnown));
    known.writeRows(index, isKnown);
    return { carry: [result, isKnown] };
  });
}

/** One of the positions for each uniform number, [n]. */
export function samplePositions(env: CompiledEnvironment, uniform: Tensor): JudgedPosition {
  const held = mul(cast(count("filled").read(), "f32"), dimValue(lanes));
  const index = cast(minimum(floor(mul(uniform, held)), sub(held, 1)), "i32");
  const taken = Object.entries(columnsOf(env)).map(([name, column]) => [
    name,
    takeRows(column.read(), index),
  ]);
  // The columns have the names of the type.
  return Object.fromEntries(taken) as unknown as JudgedPosition;
}
