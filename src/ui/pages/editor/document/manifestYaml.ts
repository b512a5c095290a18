import type { CreateNodeOptions, ParseOptions, ScalarTag, SchemaOptions, ToStringOptions } from "yaml";
import { yamlNumbers } from "../../../../specs/text.ts";

/** Parses a number, which may have underscores and an exponent; undefined if the text is not a number. */
export function numberOf(text: string): number | undefined {
  if (!/^[-+]?(?:\d+(?:_\d+)*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(text)) return undefined;
  const value = Number(text.replaceAll("_", ""));
  return Number.isFinite(value) ? value : undefined;
}

/** A tag that writes a number as it was read, such as 1_000 or 1e-4, if its value has not changed. */
const keepingSource = (tag: ScalarTag): ScalarTag => ({
  ...tag,
  stringify: (item, context, onComment, onChompKeep) => {
    const { source, value } = item;
    if (source !== undefined && numberOf(source) === value) return source;
    return tag.stringify?.(item, context, onComment, onChompKeep) ?? String(value);
  },
});

/** Numbers with an exponent but no decimal point: valid in YAML 1.2, and not covered by the shared tags. */
const exponentTag: ScalarTag = {
  tag: "tag:yaml.org,2002:float",
  default: true,
  identify: () => false,
  test: /^[-+]?(?:[0-9]+(?:_[0-9]+)*|\.[0-9]+)[eE][-+]?[0-9]+$/,
  resolve: (source) => Number(source.replaceAll("_", "")),
  stringify: ({ value }) => String(value),
};

/** Options for parsing manifests: like `parseManifest`, but preserving what edits must not change. */
export const YAML_OPTIONS = {
  version: "1.2",
  customTags: (tags) => [...[...yamlNumbers, exponentTag].map(keepingSource), ...tags],
  compat: "yaml-1.1",
  merge: true,
  prettyErrors: false,
} satisfies ParseOptions & SchemaOptions & { prettyErrors: boolean; version: "1.2" };

/** Options for writing manifests. */
export const YAML_STYLE = {
  lineWidth: 0,
  flowCollectionPadding: false,
} satisfies ToStringOptions;

/** Options for creating nodes from values: no aliases for repeated objects. */
export const NODE_OPTIONS = { aliasDuplicateObjects: false } satisfies CreateNodeOptions;
