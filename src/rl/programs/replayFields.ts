/** What a transition is in the replay memory: its fields, and how a row of each lies there. */
import type { DType } from "../../kernels/index.ts";
import type { SimpleSpace, Space } from "../spaces/index.ts";

/** What shapes the rows of a memory. */
export interface TransitionLayout {
  readonly observation_space: Space;
  readonly action_space: Space;
}

/** Names of the memory's fields. `ended`: 1 where the lane's next row begins another episode. */
export const REPLAY_FIELDS = ["obs", "next_obs", "action", "reward", "done", "ended"] as const;
export type ReplayFieldName = (typeof REPLAY_FIELDS)[number];

export interface ReplayField {
  /** Of one row. */
  readonly shape: readonly number[];
  /** "u8": whole numbers 0 .. 255, kept four to a word, a row in whole words. */
  readonly dtype: "f32" | "i32" | "u8";
}

const NUMBER: ReplayField = { shape: [], dtype: "f32" };

/** Whether a part's numbers are whole and 0 .. 255. */
function fitsBytes(space: SimpleSpace): boolean {
  switch (space.kind) {
    case "Box":
      return space.dtype === "uint8";
    case "Discrete":
      return space.start >= 0 && space.start + space.n <= 256;
    case "MultiDiscrete":
      return space.nvec.every((k) => k <= 256);
    case "MultiBinary":
      return true;
  }
}

/**
 * Whether a space's elements lie as bytes: a Box of uint8, as images are, or parts with such a Box among them, all of
 * which fit. A row is of one type, so a part with fractions keeps the others as numbers too.
 */
function isBytes(space: Space): boolean {
  const isSimple = space.kind !== "Dict" && space.kind !== "Tuple";
  const spaces: readonly SimpleSpace[] = isSimple ? [space] : space.parts.map((part) => part.space);
  return spaces.some(({ kind }) => kind === "Box") && spaces.every(fitsBytes);
}

/** Numbers in a row of this shape. */
export const numbersIn = (shape: readonly number[]): number =>
  shape.reduce((product, dim) => product * dim, 1);

/** 32-bit words in a row of a field. */
export const rowWords = ({ shape, dtype }: ReplayField): number =>
  dtype === "u8" ? Math.ceil(numbersIn(shape) / 4) : numbersIn(shape);

/** Type of the buffer that holds a field. */
export const stateType = ({ dtype }: ReplayField): DType => (dtype === "u8" ? "u32" : dtype);

/** How an observation lies stored. */
export const observationField = (space: Space): ReplayField => ({
  shape: space.shape,
  dtype: isBytes(space) ? "u8" : "f32",
});

/** The fields of a row. */
export function replayFields({
  observation_space,
  action_space,
}: TransitionLayout): Readonly<Record<ReplayFieldName, ReplayField>> {
  const observation = observationField(observation_space);
  return {
    obs: observation,
    next_obs: observation,
    action: { shape: action_space.shape, dtype: action_space.kind === "Box" ? "f32" : "i32" },
    reward: NUMBER,
    done: NUMBER,
    ended: NUMBER,
  };
}

/** How a memory gives its transitions. */
export interface MemoryKind {
  /** Steps that a transition spans. */
  readonly n_step: number;
  /** Sampled by priority instead of uniformly. */
  readonly prioritized: boolean;
}

/** Single steps, sampled uniformly. */
export const PLAIN_MEMORY: MemoryKind = { n_step: 1, prioritized: false };
