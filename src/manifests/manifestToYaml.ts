/** Manifests as YAML, with numbers in a form that both YAML 1.1 and 1.2 readers understand. */
import { isMap, isScalar, isSeq, type ScalarTag, stringify } from "yaml";
import { dottedPath } from "../specs/checks.ts";
import { manifestToObject } from "./manifestToObject.ts";
import type { ManifestWarning } from "./manifestWarnings.ts";
import type { TrainingManifest } from "./TrainingManifest.ts";

const plain = (source: string): number => Number(source.replaceAll("_", ""));

/** Integers with underscores between digits, such as 1_000_000. */
const integerTag: ScalarTag = {
  tag: "tag:yaml.org,2002:int",
  default: true,
  identify: (value) => typeof value === "number" && Number.isInteger(value) && Math.abs(value) < 1e15,
  test: /^[-+]?[0-9]+(?:_[0-9]+)*$/,
  resolve: plain,
  stringify: ({ value }) => String(value),
};

/**
 * Reals with underscores between digits. Written with a point before the exponent and a sign after it,
 * because YAML 1.1 readers read 1e-7 as a string.
 */
const realTag: ScalarTag = {
  tag: "tag:yaml.org,2002:float",
  default: true,
  identify: (value) => typeof value === "number" && Number.isFinite(value),
  test: /^[-+]?[0-9]+(?:_[0-9]+)*\.[0-9]*(?:[eE][-+]?[0-9]+)?$/,
  resolve: plain,
  stringify: ({ value }) => String(value).replace(/^(-?[0-9]+)e/, "$1.0e"),
};

/** Tags that read and write numbers in a form that both YAML 1.1 and 1.2 readers understand. */
export const yamlNumbers: ScalarTag[] = [integerTag, realTag];

/** The plain scalars below a node, each with its path. */
function* scalarsOf(node: unknown, path: readonly (string | number)[]): Generator<[typeof path, string]> {
  if (isScalar(node) && node.type === "PLAIN" && node.source !== undefined) yield [path, node.source];
  if (isMap(node)) for (const { key, value } of node.items) yield* scalarsOf(value, [...path, String(key)]);
  if (isSeq(node)) for (const [i, item] of node.items.entries()) yield* scalarsOf(item, [...path, i]);
}

/** Warnings for integers with a leading zero, which YAML 1.1 readers take for octal numbers. */
export function octalWarnings(root: unknown): ManifestWarning[] {
  const warnings: ManifestWarning[] = [];
  for (const [path, source] of scalarsOf(root, [])) {
    if (!/^[-+]?0[0-9_]*[0-9]$/.test(source)) continue;
    const digits = source.replaceAll("_", "");
    const other = /[89]/.test(digits)
      ? "a text"
      : `${digits.replace(/\d+/, (octal) => `${Number.parseInt(octal, 8)}`)}`;
    const message = `found ${source}, which is read as ${Number(digits)}; readers of YAML 1.1 take it for ${other}: write ${Number(digits)}`;
    warnings.push({ path: dottedPath(path), message });
  }
  return warnings;
}

/**
 * A manifest as YAML text that readers of YAML 1.1 and 1.2 understand in the same way: words such as `no` are
 * quoted. See {@link manifestToObject}.
 *
 * @example
 * ```ts
 * const manifest = parseManifest({ algorithm: { name: "DQN" }, environment: { name: "CartPole-v1" } });
 * console.log(manifestToYaml(manifest));
 * ```
 */
export function manifestToYaml(manifest: TrainingManifest): string {
  return stringify(manifestToObject(manifest), {
    compat: "yaml-1.1",
    customTags: (tags) => [...yamlNumbers, ...tags],
    flowCollectionPadding: false,
    aliasDuplicateObjects: false,
  });
}
