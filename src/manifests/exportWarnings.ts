import { dottedPath } from "../specs/checks.ts";
import { findArchitecture, isDeclared, isPretrained, sectionsOf } from "../specs/networks.ts";
import type { ManifestWarning } from "./manifestWarnings.ts";
import { ownFields } from "./ownFields.ts";
import { algorithmDefinition } from "./registry.ts";
import type { TrainingManifest } from "./TrainingManifest.ts";

/**
 * Warns about values in an exported manifest that the Python relative does not understand.
 *
 * @param ownEnvironments Names of environments that only this library has.
 */
export function exportWarnings(
  { algorithm, network, environment }: TrainingManifest,
  ownEnvironments: readonly string[],
): ManifestWarning[] {
  const warnings: ManifestWarning[] = [];
  if (algorithmDefinition(algorithm.name).rlkit_only)
    warnings.push({ path: "algorithm.name", message: `"${algorithm.name}" is known to rlkit only` });
  for (const { name, isDefault } of ownFields(algorithm)) {
    if (!isDefault) warnings.push({ path: `algorithm.${name}`, message: "is known to rlkit only" });
  }
  const sections = network === null || isPretrained(network) ? [] : sectionsOf(network);
  for (const [key, section] of sections) {
    if (!isDeclared(section)) continue;
    const { arch } = section.encoder_config;
    if (findArchitecture(arch).portable) continue;
    const path = dottedPath(["network", ...(key === null ? [] : [key]), "encoder_config", "arch"]);
    warnings.push({ path, message: `"${arch}" is known to rlkit only` });
  }
  if (ownEnvironments.includes(environment.name))
    warnings.push({ path: "environment.name", message: `"${environment.name}" is known to rlkit only` });
  return warnings;
}
