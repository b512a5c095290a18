/** A language model exported as ONNX, run as transformers does: one graph with its cache as inputs and outputs. */
import { type FileStore, joinPath } from "../../../src/storage/index.ts";
import { RuntimeModel } from "../../support/onnxRuntime.ts";
import { padded } from "../inside/support/smallModels.ts";

type Inputs = Parameters<RuntimeModel["run"]>[0];

const floats = (shape: readonly number[], values: ArrayLike<number>): Inputs[string] => ({
  type: "float32",
  shape,
  values,
});
const integers = (rows: readonly (readonly number[])[]): Inputs[string] => ({
  type: "int64",
  shape: [rows.length, rows[0]?.length ?? 0],
  values: rows.flat(),
});

export interface CacheSizes {
  readonly num_key_value_heads: number;
  readonly head_dim: number;
}

/** The likeliest tokens after prompts, which are padded on the left. */
export async function greedyTokens(
  store: FileStore,
  dir: string,
  prompts: readonly (readonly number[])[],
  count: number,
  { num_key_value_heads, head_dim }: CacheSizes,
): Promise<number[][]> {
  const read = (name: string) => store.read(joinPath(dir, "onnx", name));
  const model = await RuntimeModel.load(await read("model.onnx"), {
    "model.onnx_data": await read("model.onnx_data"),
  });
  const batch = padded(prompts, "left");
  const empty = floats([prompts.length, num_key_value_heads, 0, head_dim], []);
  let past: Record<string, Inputs[string]> = Object.fromEntries(
    model.inputs.filter(({ name }) => name.startsWith("past")).map(({ name }) => [name, empty]),
  );
  let ids: number[][] = batch.input_ids;
  const mask = batch.attention_mask;
  const written: number[][] = prompts.map(() => []);
  for (let step = 0; step < count; step++) {
    const width = ids[0]?.length ?? 0;
    const positions = mask.map((row) => {
      let position = -1;
      const all = row.map((one) => Math.max(0, (position += one)));
      return all.slice(-width);
    });
    const results = await model.run({
      input_ids: integers(ids),
      attention_mask: integers(mask),
      position_ids: integers(positions),
      ...past,
    });
    const { logits } = results;
    const [, columns = 0, V = 0] = logits?.shape ?? [];
    ids = prompts.map((_, row) => {
      const start = (row * columns + columns - 1) * V;
      const own = logits?.values.slice(start, start + V) ?? [];
      return [own.indexOf(Math.max(...own))];
    });
    for (const [row, [id = -1]] of ids.entries()) {
      written[row]?.push(id);
      mask[row]?.push(1);
    }
    past = Object.fromEntries(
      Object.entries(results)
        .filter(([name]) => name.startsWith("present"))
        .map(([name, { shape, values }]) => [
          name.replace("present", "past_key_values"),
          floats(shape, values),
        ]),
    );
  }
  await model.release();
  return written;
}
