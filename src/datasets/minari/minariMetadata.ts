/** `metadata.json` of a Minari data set. */
import { z } from "zod";
import type { SingleAgentSpace } from "../../rl/spaces.ts";
import type { ReferenceScores } from "../Dataset.ts";
import { DatasetError } from "../DatasetError.ts";
import { spaceOfMinari } from "./minariSpace.ts";

/** Strings, and the non-JSON tokens that Python's json module writes: bare infinities and NaN. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?Infinity|NaN/g;

/**
 * Parses JSON with bare `Infinity` and `-Infinity` as numbers and `NaN` as null.
 * @throws SyntaxError as JSON.parse.
 */
const parseJsonWithInfinity = (text: string): unknown =>
  JSON.parse(
    text.replace(TOKENS, (token) => {
      if (token.startsWith('"')) return token;
      // JSON has no infinities, but a number that overflows parses as one.
      return token === "NaN" ? "null" : token.replace("Infinity", "1e999");
    }),
  );

const names = z.union([z.string(), z.array(z.string())]).nullish();
/** Spaces and specifications are JSON text inside JSON strings. */
const nested = z.union([z.string(), z.looseObject({})]).nullish();

const Metadata = z.looseObject({
  total_episodes: z.int().nonnegative().nullish(),
  total_steps: z.int().nonnegative().nullish(),
  data_format: z.string().default("hdf5"),
  /** Missing in older files, whose images are JPEG. */
  jpeg_encoding: z.boolean().default(true),
  observation_space: nested,
  action_space: nested,
  env_spec: nested,
  dataset_id: z.string().nullish(),
  algorithm_name: z.string().nullish(),
  author: names,
  description: z.string().nullish(),
  code_permalink: z.string().nullish(),
  ref_min_score: z.number().nullish(),
  ref_max_score: z.number().nullish(),
});

export interface MinariMetadata {
  readonly dataset_id: string | null;
  readonly total_episodes: number | null;
  readonly total_steps: number | null;
  readonly jpeg_encoding: boolean;
  /** `null` if the file leaves the space to the environment. */
  readonly observation_space: SingleAgentSpace | null;
  readonly action_space: SingleAgentSpace | null;
  /** Id of the environment that produced the data; `null` if the file does not state it. */
  readonly environment: string | null;
  readonly algorithm_name: string | null;
  readonly description: string | null;
  readonly reference_scores: ReferenceScores | null;
}

const json = (value: unknown): unknown => (typeof value === "string" ? parseJsonWithInfinity(value) : value);

const EnvSpec = z.looseObject({ id: z.string() });

/** Without metadata, the environment defines everything. */
export const NO_METADATA: MinariMetadata = {
  dataset_id: null,
  total_episodes: null,
  total_steps: null,
  jpeg_encoding: true,
  observation_space: null,
  action_space: null,
  environment: null,
  algorithm_name: null,
  description: null,
  reference_scores: null,
};

/** Null unless both are finite and the second is above the first: no other scale has 0 and 100. */
const referenceScores = (min: number | null, max: number | null): ReferenceScores | null =>
  min !== null && max !== null && Number.isFinite(max - min) && max > min ? { min, max } : null;

/** @throws DatasetError naming the field that violates the format. */
export function parseMinariMetadata(text: string, source: string): MinariMetadata {
  const refuse = (path: string, message: string, cause?: unknown): DatasetError =>
    new DatasetError(
      source,
      `metadata.json: ${path}${path && ": "}${message}`,
      cause === undefined ? {} : { cause },
    );
  const read = <T>(path: string, of: () => T): T => {
    try {
      return of();
    } catch (error) {
      throw refuse(path, error instanceof Error ? error.message : String(error), error);
    }
  };
  const whole = read("", () => parseJsonWithInfinity(text));
  const parsed = Metadata.safeParse(whole);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw refuse(issue?.path.join(".") ?? "", issue?.message ?? "is not Minari's");
  }
  const { data } = parsed;
  if (data.data_format !== "hdf5")
    throw refuse(
      "data_format",
      `found "${data.data_format}", allowed "hdf5", the only format that this build reads`,
    );
  const spaceAt = (name: "observation_space" | "action_space") =>
    read(name, () =>
      data[name] === null || data[name] === undefined ? null : spaceOfMinari(json(data[name])),
    );
  const spec = EnvSpec.safeParse(read("env_spec", () => json(data.env_spec)));
  return {
    dataset_id: data.dataset_id ?? null,
    total_episodes: data.total_episodes ?? null,
    total_steps: data.total_steps ?? null,
    jpeg_encoding: data.jpeg_encoding,
    observation_space: spaceAt("observation_space"),
    action_space: spaceAt("action_space"),
    environment: spec.success ? spec.data.id : null,
    algorithm_name: data.algorithm_name ?? null,
    description: data.description ?? null,
    reference_scores: referenceScores(data.ref_min_score ?? null, data.ref_max_score ?? null),
  };
}
