/** A checkpoint's replay memory in the rows that this build keeps. */
import { numbersIn, type ReplayField, replayFields, rowWords } from "../../rl/programs/replayFields.ts";
import { arrayOf, eachField, firstNoByte, packRows, type ReplayArray } from "../../rl/runtime/replayRows.ts";
import { joinPath, StorageError } from "../../storage/index.ts";
import type { Spaces } from "./buildRun.ts";
import { replayFile } from "./runCheckpoint.ts";
import type { ReplayState } from "./runState.ts";

/** What a row of a field is, for people. */
const describe = (rows: ReplayArray, width: number): string =>
  `${width} ${rows instanceof Uint32Array ? "words of bytes" : rows instanceof Int32Array ? "whole numbers" : "numbers"}`;

/** The rows of a field; null when they are of another kind. */
function fitted(field: ReplayField, rows: ReplayArray, segment: number): ReplayArray | null {
  const width = rows.length / segment;
  if (rows instanceof arrayOf(field) && width === rowWords(field)) return rows;
  // Checkpoints from before images were kept as bytes have a number for each.
  const wasNumbers = field.dtype === "u8" && rows instanceof Float32Array && width === numbersIn(field.shape);
  return wasNumbers && firstNoByte(rows) === undefined ? packRows(rows, width) : null;
}

/**
 * The memory with images as bytes where the environment's are, whatever they were saved as.
 * @param dir The checkpoint's, for errors.
 * @throws StorageError "corrupt" naming the file and the field whose rows are of another environment.
 */
export function fitReplay(replay: ReplayState, spaces: Spaces, dir: string): ReplayState {
  const fields = replayFields(spaces);
  const segments = replay.segments.map((rows, slot) =>
    eachField((name) => {
      const field = fields[name];
      const found = fitted(field, rows[name], replay.segment);
      if (found) return found;
      const wanted = describe(new (arrayOf(field))(0), rowWords(field));
      throw new StorageError(
        "corrupt",
        joinPath(dir, replayFile(slot)),
        `field ${name} has rows of ${describe(rows[name], rows[name].length / replay.segment)}, the environment's are ${wanted}; use a checkpoint of the same environment`,
      );
    }),
  );
  return { ...replay, segments };
}
