/** Built-in environments for language models by id. */

import { alternatives } from "../../../specs/messages.ts";
import type { LlmEnvironment } from "../LlmEnvironment.ts";
import { ConditionalTarget } from "./ConditionalTarget.ts";
import { ConstantTarget } from "./ConstantTarget.ts";
import { GridNavigation } from "./GridNavigation.ts";
import { MultiInputConditional } from "./MultiInputConditional.ts";

type MakeEnvironment = (env_config: unknown) => LlmEnvironment;

const makers = new Map<string, MakeEnvironment>([
  ["rlkit/ConstantTarget", (config) => new ConstantTarget(config)],
  ["rlkit/ConditionalTarget", (config) => new ConditionalTarget(config)],
  ["rlkit/MultiInputConditional", (config) => new MultiInputConditional(config)],
  ["rlkit/GridNavigation", (config) => new GridNavigation(config)],
]);

/** Ids of the built-in environments. */
export const listLlmEnvironments = (): string[] => [...makers.keys()];

/**
 * @throws Error for an unknown id, with the nearest known one; SpecError for arguments that
 *   the environment does not have.
 */
export function makeLlmEnvironment(id: string, env_config: unknown = {}): LlmEnvironment {
  const make = makers.get(id);
  if (make !== undefined) return make(env_config);
  const others = alternatives("text environment", id, { names: listLlmEnvironments() });
  throw new Error(`unknown text environment "${id}"${others}`);
}
