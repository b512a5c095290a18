import { checkManifestText, parseManifestText } from "./manifestText.ts";
import {
  checkManifest,
  type ManifestResult,
  type ParseManifestOptions,
  parseManifestObject,
} from "./parseManifestObject.ts";
import type { TrainingManifest, TrainingManifestInput } from "./TrainingManifest.ts";

/** YAML or JSON text, a manifest as an object, or a manifest that was already parsed. */
export type ManifestInput =
  | string
  | TrainingManifestInput
  | TrainingManifest
  | Readonly<Record<string, unknown>>;

/**
 * Validates a manifest and fills in its defaults; the input itself is not changed.
 *
 * @param input A string is YAML or JSON text, never a file path.
 * @throws {@link SpecError} listing every problem; for text, with line and column.
 *
 * @example
 * ```ts
 * const manifest = parseManifest("algorithm: { name: DQN }\nenvironment: { name: CartPole-v1 }");
 * console.log(manifest.training.max_steps); // 1000000
 * ```
 */
export function parseManifest(input: ManifestInput, options: ParseManifestOptions = {}): TrainingManifest {
  return typeof input === "string" ? parseManifestText(input, options) : parseManifestObject(input, options);
}

/**
 * Like {@link parseManifest}, but returns the issues instead of throwing them.
 *
 * @example
 * ```ts
 * const result = validateManifest("algorithm: { name: DQNN }");
 * if (!result.success) for (const { path, message } of result.issues) console.error(path, message);
 * ```
 */
export function validateManifest(input: ManifestInput, options: ParseManifestOptions = {}): ManifestResult {
  return typeof input === "string" ? checkManifestText(input, options) : checkManifest(input, options);
}
