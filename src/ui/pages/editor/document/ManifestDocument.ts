import {
  type CreateNodeOptions,
  type Document,
  isMap,
  LineCounter,
  type ParsedNode,
  type ParseOptions,
  parseDocument,
  type ScalarTag,
  type SchemaOptions,
  type ToStringOptions,
} from "yaml";
import {
  type ManifestFormat,
  manifestFormat,
  syntaxMessage,
  yamlNumbers,
} from "../../../../manifests/text.ts";
import { isMapping } from "../../../../specs/messages.ts";

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

/** The path of a value in a manifest. */
export type ManifestPath = readonly (string | number)[];

/** A parsed manifest text. */
export interface ManifestDocument {
  readonly text: string;
  readonly format: ManifestFormat;
  readonly document: Document.Parsed<ParsedNode>;
  /** The text's content, not validated. */
  readonly values: Readonly<Record<string, unknown>>;
}

type ReadManifest =
  | { readonly ok: true; readonly manifest: ManifestDocument }
  | { readonly ok: false; readonly message: string; readonly line: number };

function values(document: Document.Parsed<ParsedNode>): unknown {
  try {
    return document.toJS();
  } catch {
    // Aliases that refer to themselves or expand without bound; the check of the specs reports them.
    return undefined;
  }
}

/**
 * Parses a manifest's text, checking only its syntax. An empty text is an empty manifest.
 * @param name the file's name, if the text comes from a file
 */
export function readManifest(text: string, name?: string): ReadManifest {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { ...YAML_OPTIONS, lineCounter });
  const [error] = document.errors;
  if (error !== undefined) {
    const message = syntaxMessage(manifestFormat(text, name), error.message);
    return { ok: false, message, line: lineCounter.linePos(error.pos[0]).line };
  }
  const content = document.contents === null ? {} : values(document);
  if (!isMapping(content) || (document.contents !== null && !isMap(document.contents))) {
    const message = "a manifest is a mapping with sections such as algorithm and environment";
    return { ok: false, message, line: 1 };
  }
  return { ok: true, manifest: { text, format: manifestFormat(text), document, values: content } };
}

/**
 * Why a text is no manifest with a content, as the end of a sentence; null if it is one. Other faults are shown at their
 * lines.
 *
 * @param name the file's name, if the text comes from a file
 */
export function unreadableManifest(text: string, name?: string): string | null {
  // U+FFFD also stands for invalid UTF-8.
  if (/[\0\uFFFD]/.test(text)) return name === undefined ? "it is not text" : "it is not a text file";
  const read = readManifest(text, name);
  if (!read.ok) return `it is not a valid YAML or JSON manifest (line ${read.line}: ${read.message})`;
  return Object.keys(read.manifest.values).length === 0 ? "it is empty" : null;
}
