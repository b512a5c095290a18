/** Bytes per row: two observations, the action, the reward and two flags. */
const ROW_BYTES = 16 + 16 + 4 + 4 + 1 + 1;
/** Rows per chunk of the file. */
const CHUNK = 16_384;
/** Steps per episode. */
const EPISODE = 200;

/** Writes a flat file of `bytes` bytes with synthetic CartPole steps. Returns the number of rows. */
export async function writeFlatFile(path: string, bytes: number): Promise<number> {
  const { default: h5wasm } = await import("h5wasm/node");
  await h5wasm.ready;
  const rows = Math.floor(bytes / ROW_BYTES);
  const file = new h5wasm.File(path, "w");
  const add = (name: string, width: number, data: Float32Array | Int32Array | Uint8Array): void => {
    const more = width === 1 ? [] : [width];
    const [shape, chunks] = [
      [rows, ...more],
      [CHUNK, ...more],
    ];
    file.create_dataset({ name, data, shape, maxshape: [null, ...more], chunks });
  };
  const numbers = (width: number): Float32Array =>
    Float32Array.from({ length: rows * width }, (_, i) => ((i * 2_654_435_761) % 1000) / 5000 - 0.1);
  add("observations", 4, numbers(4));
  add("next_observations", 4, numbers(4));
  add(
    "actions",
    1,
    Int32Array.from({ length: rows }, (_, row) => (row >> 3) & 1),
  );
  add("rewards", 1, new Float32Array(rows).fill(1));
  const ends = Uint8Array.from({ length: rows }, (_, row) => (row % EPISODE === EPISODE - 1 ? 1 : 0));
  add("terminals", 1, ends);
  add("timeouts", 1, new Uint8Array(rows));
  file.close();
  return rows;
}
