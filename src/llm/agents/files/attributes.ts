/**
 * `attributes.json`: all fields of a member except tensors. Files of a run store some of them as well.
 */
import { z } from "zod";
import { StorageError } from "../../../storage/index.ts";
import { type LlmAlgorithmName, type LlmSpec, llmSpec } from "../../algorithms/registry.ts";
import { type Folder, jsonBytes, placeOf, readJson } from "../../files/Folder.ts";
import type { AgentPlan } from "../agentPlan.ts";
import type { LlmMember } from "../LlmMember.ts";

/** JSON has no NaN, so a fitness that is not finite is stored as null. */
export const memberFields = z.object({
  index: z.int(),
  parent: z.int().nullable(),
  hyperparameters: z.record(z.string(), z.number()),
  fitness: z.array(z.number().nullable()).transform((values) => values.map((value) => value ?? Number.NaN)),
  steps: z.int(),
  mut: z.string(),
  updates: z.int(),
  samples: z.int(),
  epoch: z.int(),
  passes: z.int(),
});

export const ATTRIBUTES = "attributes.json";
const FORMAT = "rlkit.language-model-agent";
const VERSION = 1;

const attributes = z.looseObject({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  algorithm: z.string(),
  spec: z.looseObject({ name: z.string() }),
  ...memberFields.shape,
});

/** A member without its policy. */
type MemberAttributes = Omit<LlmMember, "policy">;

export function attributesFile({ parts, spec }: AgentPlan, member: LlmMember): Uint8Array {
  const { policy: _tensors, ...fields } = member;
  return jsonBytes({
    format: FORMAT,
    version: VERSION,
    algorithm: spec.name,
    model: parts.id,
    spec,
    ...fields,
  });
}

/**
 * @param algorithm The algorithm that the checkpoint must have.
 * @throws StorageError `not_found` or `corrupt`; SpecError naming invalid fields;
 *   RangeError for another algorithm.
 */
export async function readAttributes(
  folder: Folder,
  algorithm: LlmAlgorithmName,
): Promise<{ readonly spec: LlmSpec; readonly member: MemberAttributes }> {
  const found = await readJson(folder, ATTRIBUTES, attributes);
  const place = placeOf(folder, ATTRIBUTES);
  if (found === null)
    throw new StorageError(
      "not_found",
      place,
      "no such file; a checkpoint of an agent has one, check the path",
    );
  if (found.algorithm !== algorithm)
    throw new RangeError(
      `${place}: algorithm: found ${found.algorithm}, allowed ${algorithm}; use loadWeights to load the weights of any algorithm`,
    );
  const { index, parent, hyperparameters, fitness, steps, mut, updates, samples, epoch, passes } = found;
  return {
    // The algorithm has just been checked.
    spec: llmSpec(algorithm, found.spec),
    member: { index, parent, hyperparameters, fitness, steps, mut, updates, samples, epoch, passes },
  };
}
