/** The setup that a run's nodes open with, without the transitions in its replay buffers. */
import { z } from "zod";
import { jsonNumber, jsonSpace, numberToJson, RL_WORKLOAD } from "../../../../src/hosting/index.ts";
import { StorageError } from "../../../../src/storage/index.ts";
import type { RunSetup } from "../../../../src/training/index.ts";

/** JSON that machines exchange, including numbers that JSON cannot express. */
export function encodeJson(value: unknown): Uint8Array {
  const text = JSON.stringify(value, (_, part: unknown) =>
    typeof part === "number" ? numberToJson(part) : part,
  );
  return new TextEncoder().encode(text);
}

/**
 * @param path Name for errors.
 * @throws StorageError "corrupt" if it is not JSON, or does not match the schema.
 */
export function decodeJson<S extends z.ZodType>(schema: S, bytes: Uint8Array, path: string): z.output<S> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    throw new StorageError("corrupt", path, "is not valid JSON", { cause: error });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new StorageError(
    "corrupt",
    path,
    `does not match its schema: ${issue?.path.join(".")} ${issue?.message}`,
  );
}

const size = z.int().positive();
const options = z.record(z.string(), z.json());

const setupSchema = z.strictObject({
  workload: z.literal(RL_WORKLOAD),
  members: size,
  trainedOn: z.enum(["wasm", "webgpu"]).nullable(),
  environment: z.string(),
  env_config: options.nullable(),
  user_module: z
    .strictObject({
      name: z.string(),
      sha256: z.string(),
      script: z.string(),
      entrypoint: z.string().nullable(),
      options,
      timeout_s: z.number(),
      spaces: z.strictObject({ observation: jsonSpace, action: jsonSpace }),
    })
    .nullable(),
  table: z
    .strictObject({
      features: z.array(z.array(jsonNumber)),
      targets: z.array(z.union([z.number(), z.string()])),
    })
    .nullable(),
  replay: z
    .strictObject({
      population: size,
      segment: size,
      kind: z.strictObject({
        n_step: size,
        prioritized: z.boolean(),
        shared: z.literal(true).exactOptional(),
      }),
      held: z
        .strictObject({
          start: z.int().nonnegative(),
          lengths: z.array(size),
          centre: z.number(),
          scale: z.number(),
          bound: z.number(),
        })
        .exactOptional(),
    })
    .nullable(),
  gpu_workgroups: size.nullable(),
});

export function encodeSetup(setup: RunSetup): Uint8Array {
  const { written: _, data: __, user_module = null, table = null, env_config = null, ...rest } = setup;
  const { members = 1, trainedOn = null, gpu_workgroups = null } = rest;
  return encodeJson({ ...rest, members, trainedOn, gpu_workgroups, user_module, table, env_config });
}

/** @param path Name for errors. @throws StorageError "corrupt" if it is not a valid setup. */
export function decodeSetup(bytes: Uint8Array, path: string): RunSetup {
  const { user_module, ...rest } = decodeJson(setupSchema, bytes, path);
  return { ...rest, ...(user_module && { user_module }), written: [] };
}
