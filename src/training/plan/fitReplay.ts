/** A checkpoint's replay memory in the rows that this build keeps. */
import { replayFields } from "../../rl/programs/replayFields.ts";
import { bytesIn, isPacked, numbersIn, type ReplayField, rowWords } from "../../rl/programs/rowLayout.ts";
import { arrayOf, eachField, firstNoByte, packRows, type ReplayArray } from "../../rl/runtime/replayRows.ts";
import { joinPath, StorageError } from "../../storage/index.ts";
import { replayFile } from "../rl/replayFiles.ts";
import type { ReplayState } from "../rl/runState.ts";
import type { Spaces } from "./buildRun.ts";

/** What rows are made of, for people. */
function contentsOf(rows: ReplayArray): string {
  if (rows instanceof Uint32Array) return "words of bytes";
  return rows instanceof Int32Array ? "whole numbers" : "numbers";
}

/** What a row of a field is, for people. */
function describe(field: ReplayField): string {
  const hasBoth = isPacked(field) && bytesIn(field) < numbersIn(field.shape);
  const contents = contentsOf(new (arrayOf(field))(0));
  return `${rowWords(field)} ${contents}${hasBoth ? " and numbers" : ""}`;
}

/** The rows of a field; null when they are of another kind. */
function fitted(field: ReplayField, rows: ReplayArray, segment: number): ReplayArray | null {
  const width = rows.length / segment;
  if (rows instanceof arrayOf(field) && width === rowWords(field)) return rows;
  // Checkpoints from before images, alone or beside fractions, were kept as bytes have a number for each.
  const wasNumbers = isPacked(field) && rows instanceof Float32Array && width === numbersIn(field.shape);
  return wasNumbers && firstNoByte(rows, field) === undefined ? packRows(rows, field) : null;
}

/**
 * The memory with images as bytes where the environment's are, whatever they were saved as.
 * @param dir The checkpoint's, for errors.
 * @throws StorageError "corrupt" naming the file and the field whose rows are of another environment.
 */
export function fitReplay(replay: ReplayState, spaces: Spaces, dir: string): ReplayState {
  // Of a data set, whoever loads it makes the rows.
  if (replay.dataset) return replay;
  const fields = replayFields(spaces);
  const segments = replay.segments.map((rows, slot) =>
    eachField((name) => {
      const field = fields[name];
      const found = fitted(field, rows[name], replay.segment);
      if (found) return found;
      throw new StorageError(
        "corrupt",
        joinPath(dir, replayFile(slot)),
        `field ${name} has rows of ${rows[name].length / replay.segment} ${contentsOf(rows[name])}, the environment's are ${describe(field)}; use a checkpoint of the same environment`,
      );
    }),
  );
  return { ...replay, segments };
}
