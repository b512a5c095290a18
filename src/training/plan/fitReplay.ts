/** Converts a checkpoint's replay buffer to the row layout of this build. */
import {
  arrayOf,
  eachField,
  firstNoByte,
  observationWords,
  packRows,
  type ReplayArray,
  withMasks,
} from "../../agents/members.ts";
import { bytesIn, isPacked, numbersIn, type ReplayField, replayFields, rowWords } from "../../rl/programs.ts";
import { joinPath, StorageError } from "../../storage/index.ts";
import type { RunPlan } from "../rl/kinds.ts";
import { replayFile } from "../rl/replayFiles.ts";
import type { ReplayState, RunState } from "../rl/runState.ts";
import type { Spaces } from "./buildRun.ts";

/** @throws RangeError when a member's segment cannot hold one vector step. */
export function requireReplayFits({ members, replay }: RunState, { num_envs, off_policy }: RunPlan): void {
  if (!replay || off_policy?.offline || replay.segment >= num_envs) return;
  throw new RangeError(
    `memory: each of ${members.length} members has room for ${replay.segment} transitions, but one step of ${num_envs} environments adds ${num_envs}; give a max_size of at least ${num_envs * members.length}`,
  );
}

/** The type of the rows' contents, for messages. */
function contentsOf(rows: ReplayArray): string {
  if (rows instanceof Uint32Array) return "words of bytes";
  return rows instanceof Int32Array ? "whole numbers" : "numbers";
}

/** The layout of a field's row, for messages. */
function describe(field: ReplayField): string {
  const hasBoth = isPacked(field) && bytesIn(field) < numbersIn(field.shape);
  const contents = contentsOf(new (arrayOf(field))(0));
  return `${rowWords(field)} ${contents}${hasBoth ? " and numbers" : ""}`;
}

/** The rows of a field in the current layout; null if they do not fit. */
function fitted(field: ReplayField, rows: ReplayArray, segment: number): ReplayArray | null {
  const width = rows.length / segment;
  if (rows instanceof arrayOf(field) && width === rowWords(field)) return rows;
  // Older checkpoints, from before images (alone or with fractions) were stored as bytes, have a float for
  // each number.
  const wasNumbers = isPacked(field) && rows instanceof Float32Array && width === numbersIn(field.shape);
  return wasNumbers && firstNoByte(rows, field) === undefined ? packRows(rows, field) : null;
}

/**
 * The replay buffer with the environment's byte layout for images, regardless of how it was saved.
 * @param dir Directory of the checkpoint, for errors.
 * @throws StorageError "corrupt" naming the file and the field whose rows do not fit the environment.
 */
export function fitReplay(replay: ReplayState, spaces: Spaces, dir: string): ReplayState {
  // Rows of a data set are made when it is loaded.
  if (replay.dataset) return replay;
  const { observation_space, action_space } = spaces;
  const own = { observation_space, action_space };
  const fields = replayFields(replay.masked ? { ...own, masked: true } : spaces);
  const unmasked = rowWords(replayFields(own).obs);
  const segments = replay.segments.map((stored, slot) => {
    // Checkpoints from before masks were stored lack them.
    const isShort = observationWords(stored) === unmasked;
    const rows = isShort ? withMasks(stored, rowWords(fields.obs)) : stored;
    return eachField((name) => {
      const field = fields[name];
      const found = fitted(field, rows[name], replay.segment);
      if (found) return found;
      throw new StorageError(
        "corrupt",
        joinPath(dir, replayFile(slot)),
        `field ${name} has rows of ${rows[name].length / replay.segment} ${contentsOf(rows[name])}, the environment's are ${describe(field)}; use a checkpoint of the same environment`,
      );
    });
  });
  return { ...replay, segments };
}
