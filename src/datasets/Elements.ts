/**
 * Observations or actions of a data set: rows of elements of a space, in one table or in one table per part.
 */
import { ElementCheck, elementSize, isComposite, type SimpleSpace, type Space } from "../rl/spaces.ts";
import type { Column, RawNumbers } from "./Column.ts";
import { DatasetError } from "./DatasetError.ts";
import { intoChoices, intoReals } from "./numbers.ts";

/** Channels per pixel in a browser's image data: red, green, blue, alpha. */
const CANVAS_CHANNELS = 4;

/**
 * Decodes JPEG images into pixel values, image by image.
 * @param shape [height, width, channels], with 1 or 3 channels.
 * @throws DatasetError in Node, which cannot decode images, and for an image of another size.
 */
async function decodeJpegs(
  files: readonly Uint8Array[],
  shape: readonly number[],
  place: string,
): Promise<Uint8Array> {
  if (typeof createImageBitmap === "undefined" || typeof OffscreenCanvas === "undefined")
    throw new DatasetError(
      place,
      "its images are JPEG, which only browsers can decode; train in the workbench, or use a data set with jpeg_encoding false",
    );
  const [height = 0, width = 0, channels = 0] = shape;
  if (channels !== 1 && channels !== 3)
    throw new DatasetError(
      place,
      `found images of shape [${shape.join(", ")}], allowed 1 or 3 channels at the end`,
    );
  const size = height * width * channels;
  const out = new Uint8Array(files.length * size);
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) throw new DatasetError(place, "this browser provides no 2D canvas to decode images with");
  for (const [i, file] of files.entries()) {
    const bitmap = await createImageBitmap(new Blob([Uint8Array.from(file)], { type: "image/jpeg" }));
    if (bitmap.width !== width || bitmap.height !== height)
      throw new DatasetError(
        place,
        `row ${i}: found an image of ${bitmap.width} x ${bitmap.height}, allowed ${width} x ${height}`,
      );
    context.drawImage(bitmap, 0, 0);
    bitmap.close();
    const { data } = context.getImageData(0, 0, width, height);
    for (let pixel = 0; pixel < height * width; pixel++)
      for (let c = 0; c < channels; c++)
        out[i * size + pixel * channels + c] = data[pixel * CANVAS_CHANNELS + c] as number;
  }
  return out;
}

/**
 * Finds the table of a part. The empty key means a space without parts.
 * @throws DatasetError if there is no such table.
 */
type FindColumn = (key: string) => Column;

interface Part {
  readonly space: SimpleSpace;
  readonly start: number;
  readonly size: number;
  readonly column: Column;
  readonly jpeg: boolean;
}

const product = (shape: readonly number[]): number => shape.reduce((all, n) => all * n, 1);

/** Whether a space holds images, whose bytes may be JPEG. */
const isPicture = ({ kind, dtype, shape }: SimpleSpace): boolean =>
  kind === "Box" && dtype === "uint8" && shape.length === 3;

export class Elements {
  /** Number of rows in the table. */
  readonly rows: number;
  readonly #parts: readonly Part[];
  readonly #size: number;
  readonly #check: ElementCheck;
  readonly #source: string;

  /**
   * @throws DatasetError naming a table whose rows are not elements of the space, or whose length differs.
   */
  constructor(space: Space, find: FindColumn, source: string, { jpeg = false } = {}) {
    this.#source = source;
    this.#size = elementSize(space);
    this.#check = new ElementCheck(space);
    const parts = isComposite(space)
      ? space.parts
      : [{ key: "", space: space as SimpleSpace, start: 0, size: this.#size }];
    this.#parts = parts.map(({ key, space: own, start, size }) => {
      const column = find(key);
      const encoded = jpeg && isPicture(own) && column.shape.length === 1;
      if (!encoded && column.shape[0] !== 0) requireRow(column, own, size, source);
      return { space: own, start, size, column, jpeg: encoded };
    });
    const [first, ...others] = this.#parts.map(({ column }) => column);
    this.rows = first?.shape[0] ?? 0;
    const differs = others.find(({ shape }) => shape[0] !== this.rows);
    if (differs)
      throw new DatasetError(
        source,
        `${differs.place}: found ${differs.shape[0]} rows, allowed ${this.rows} (the number of rows in ${first?.place})`,
      );
  }

  /** Location of the elements, for messages. */
  get place(): string {
    return this.#parts.length === 1 ? (this.#parts[0] as Part).column.place : parentOf(this.#parts);
  }

  /**
   * Elements of rows `from` (inclusive) to `to` (exclusive) as flat numbers.
   * @throws DatasetError naming an invalid row.
   */
  async read(from: number, to: number): Promise<Float32Array> {
    const out = new Float32Array((to - from) * this.#size);
    for (const part of this.#parts) {
      const { start, size, column } = part;
      const raw = column.read(from, to);
      const values = part.jpeg
        ? await decodeJpegs(
            raw as readonly Uint8Array[],
            part.space.shape,
            `${this.#source}: ${column.place}`,
          )
        : (raw as RawNumbers);
      const numbers = size === this.#size ? out : new Float32Array((to - from) * size);
      const fault = intoReals(numbers, values);
      if (fault) throw this.#refused(column.place, from + Math.floor(fault.at / size), fault);
      if (numbers !== out)
        for (let row = 0; row < to - from; row++)
          out.set(numbers.subarray(row * size, (row + 1) * size), row * this.#size + start);
    }
    const fault = this.#check.fault(out);
    if (fault) throw this.#refused(`${this.place}${fault.place}`, from + fault.row, fault);
    return out;
  }

  /** Like `read`, for discrete choices as i32. */
  async readChoices(from: number, to: number): Promise<Int32Array> {
    const { column, size } = this.#parts[0] as Part;
    const out = new Int32Array((to - from) * size);
    const fault = intoChoices(out, column.read(from, to) as RawNumbers);
    if (fault) throw this.#refused(column.place, from + Math.floor(fault.at / size), fault);
    const none = this.#check.fault(out);
    if (none) throw this.#refused(column.place, from + none.row, none);
    return out;
  }

  #refused(
    place: string,
    row: number,
    { found, allowed }: { readonly found: unknown; readonly allowed: string },
  ): DatasetError {
    return new DatasetError(this.#source, `${place}, row ${row}: found ${String(found)}, allowed ${allowed}`);
  }
}

const parentOf = (parts: readonly Part[]): string =>
  parts[0]?.column.place.split("/").slice(0, -1).join("/") ?? "";

/** @throws DatasetError for a table whose row shape differs from that of the space's elements. */
function requireRow({ place, shape }: Column, space: SimpleSpace, size: number, source: string): void {
  const row = shape.slice(1);
  const isSame =
    row.join() === space.shape.join() ||
    (product(row) === size && (row.length <= 1 || space.shape.length <= 1));
  if (isSame) return;
  const isStack = space.kind === "Box" && space.stacked;
  const hint = isStack
    ? "; its observations are stacks, and rows are not stacked: record data in the environment with its frame_stack, or leave frame_stack out"
    : "";
  throw new DatasetError(
    source,
    `${place}: found rows of shape [${row.join(", ")}], allowed [${space.shape.join(", ")}] (the environment's)${hint}`,
  );
}
