import type { CreateNodeOptions, ParseOptions, ScalarTag, SchemaOptions, ToStringOptions } from "yaml";
import { yamlNumbers } from "../../../../specs/manifest/yamlNumbers.ts";

/** The number that a person wrote, underscores and exponents included; undefined when it is none. */
export function numberOf(text: string): number | undefined {
  if (!/^[-+]?(?:\d+(?:_\d+)*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(text)) return undefined;
  const value = Number(text.replaceAll("_", ""));
  return Number.isFinite(value) ? value : undefined;
}

/** A tag that writes a number as it was read, such as 1_000 or 1e-4, as long as it still has that value. */
const keepingSource = (tag: ScalarTag): ScalarTag => ({
  ...tag,
  stringify: (item, context, onComment, onChompKeep) => {
    const { source, value } = item;
    if (source !== undefined && numberOf(source) === value) return source;
    return tag.stringify?.(item, context, onComment, onChompKeep) ?? String(value);
  },
});

/** Numbers with an exponent and no point, which YAML 1.2 has and the shared tags leave to it. */
const exponentTag: ScalarTag = {
  tag: "tag:yaml.org,2002:float",
  default: true,
  identify: () => false,
  test: /^[-+]?(?:[0-9]+(?:_[0-9]+)*|\.[0-9]+)[eE][-+]?[0-9]+$/,
  resolve: (source) => Number(source.replaceAll("_", "")),
  stringify: ({ value }) => String(value),
};

/** How manifests are read here: as `parseManifest` does, keeping what edits must not change. */
export const YAML_OPTIONS = {
  version: "1.2",
  customTags: (tags) => [...[...yamlNumbers, exponentTag].map(keepingSource), ...tags],
  compat: "yaml-1.1",
  merge: true,
  prettyErrors: false,
} satisfies ParseOptions & SchemaOptions & { prettyErrors: boolean; version: "1.2" };

/** How manifests are written here. */
export const YAML_STYLE = {
  lineWidth: 0,
  flowCollectionPadding: false,
} satisfies ToStringOptions;

/** Nodes of values: lists stay on one line. */
export const NODE_OPTIONS = { aliasDuplicateObjects: false } satisfies CreateNodeOptions;
