/** Rows of the replay memory as the host holds them. */
import { REPLAY_FIELDS, type ReplayField, type ReplayFieldName } from "../programs/replayFields.ts";

export type ReplayArray = Float32Array | Int32Array;

/** Rows of every field, one after the other. */
export type ReplayRows = Readonly<Record<ReplayFieldName, ReplayArray>>;

/** Every field by a function of its name. */
export const eachField = <T>(of: (name: ReplayFieldName) => T): Readonly<Record<ReplayFieldName, T>> =>
  Object.fromEntries(REPLAY_FIELDS.map((name) => [name, of(name)])) as Record<ReplayFieldName, T>;

/** Numbers in a row of a field. */
export const fieldWidth = ({ shape }: ReplayField): number =>
  shape.reduce((product, dim) => product * dim, 1);

/** `count` rows of zeros. */
export const emptyRows = (
  fields: Readonly<Record<ReplayFieldName, ReplayField>>,
  count: number,
): ReplayRows =>
  eachField((name) => {
    const length = count * fieldWidth(fields[name]);
    return fields[name].dtype === "i32" ? new Int32Array(length) : new Float32Array(length);
  });
