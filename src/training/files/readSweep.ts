/** Reads a sweep and the manifest that its runs share, from any of their sources. */
import { seedList } from "../../manifests/algorithms.ts";
import {
  expandSweep,
  type ParseManifestOptions,
  parseSweep,
  type RawManifest,
  SpecError,
  type Sweep,
  type SweepInput,
  type SweepRun,
} from "../../manifests/index.ts";
import { templates } from "../../manifests/templates.ts";
import { readSpecText } from "../../manifests/text.ts";
import { alternatives, isMapping, show } from "../../specs/messages.ts";
import type { FileStore } from "../../storage/index.ts";
import { joinPath, parentPath } from "../../storage/index.ts";
import { manifestAt } from "./manifestSource.ts";
import type { ManifestSource } from "./readManifest.ts";

/** A sweep as an object, as YAML or JSON text, or the path or URL of its file. */
export type SweepSource = SweepInput | RawManifest | string;

interface SweepOptions
  extends Pick<ParseManifestOptions, "environments" | "hpo" | "alsoCheck" | "onTranslated"> {
  readonly store?: FileStore | undefined;
  /** The manifest of all runs (default: the one that the sweep names). */
  readonly manifest?: ManifestSource | undefined;
  /** Replaces the sweep's seeds. */
  readonly seeds?: string | readonly number[] | undefined;
  /** Called with the manifest as written, before runs are made of it. */
  readonly opens?: (manifest: RawManifest) => Promise<void>;
}

function requireMapping(value: unknown): RawManifest {
  if (isMapping(value)) return value;
  const message = `expected a mapping with the sections algorithm and environment, found ${show(value)}`;
  throw new SpecError([{ code: "type", path: "", segments: [], message }], "manifest");
}

const textOf = (text: string, name: string): RawManifest => readSpecText(text, name, requireMapping);

/** A manifest as written. */
async function rawManifest(source: ManifestSource, store: FileStore | undefined): Promise<RawManifest> {
  if (typeof source !== "string" && !(source instanceof URL)) return requireMapping(source);
  const found = await manifestAt(source, store);
  return found ? textOf(found.text, found.name) : textOf(String(source), "manifest");
}

/** The manifest that a sweep names: its own, that of a template, or a file beside its own. */
async function namedManifest(
  named: string | RawManifest,
  folder: string,
  store: FileStore | undefined,
): Promise<RawManifest> {
  if (typeof named !== "string") return named;
  const template = templates.find(({ id }) => id === named);
  if (template) return { ...template.manifest };
  if (/\.(ya?ml|json)$/i.test(named)) {
    const isWhole = /^([a-z]+:|[/\\])/i.test(named);
    return rawManifest(isWhole || folder === "" ? named : joinPath(folder, named), store);
  }
  const rest = alternatives("template", named, {
    names: templates.map(({ id }) => id),
    listed: "the workbench",
  });
  throw manifestIssue(`found ${show(named)}, which is neither a file (.yaml, .json) nor a template${rest}`);
}

const manifestIssue = (message: string): SpecError =>
  new SpecError([{ code: "value", path: "manifest", segments: ["manifest"], message }], "sweep");

/**
 * The runs of a sweep, all checked.
 * @throws SpecError listing every problem; StorageError when a file cannot be read or is a directory.
 */
export async function readSweep(
  source: SweepSource,
  { store, manifest, seeds, opens, ...checks }: SweepOptions = {},
): Promise<readonly SweepRun[]> {
  const found = typeof source === "string" ? await manifestAt(source, store) : null;
  const sweep: Sweep = found ? parseSweep(found.text, found.name) : parseSweep(source);
  const folder = found ? parentPath(found.name) : "";
  if (manifest === undefined && sweep.manifest === null)
    throw manifestIssue("missing; name a file or a template, or give the manifest beside the sweep");
  const shared =
    manifest === undefined
      ? await namedManifest(sweep.manifest ?? "", folder, store)
      : await rawManifest(manifest, store);
  await opens?.(shared);
  return expandSweep({ ...sweep, ...(seeds !== undefined && { seeds: seedList(seeds) }) }, shared, checks);
}
