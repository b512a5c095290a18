/** The manifests of a sweep's runs. */
import { dottedPath, limitIssues, SpecError, type SpecIssue } from "../../specs/checks.ts";
import { isMapping, show } from "../../specs/messages.ts";
import { sectionOfKey } from "../oldKeys.ts";
import { checkManifest, type ParseManifestOptions } from "../parseManifestObject.ts";
import { ManifestFields, type TrainingManifest } from "../TrainingManifest.ts";
import { type RawManifest, requireFewRuns, type Sweep } from "./parseSweep.ts";
import { type Setting, settingText } from "./settings.ts";

/** A run of a sweep. */
export interface SweepRun {
  /** What it has of its own, such as "lr=0.001, seed=2". */
  readonly name: string;
  /** Values of the swept fields, by dotted path. */
  readonly setting: Setting;
  /** Null for the manifest's own. */
  readonly seed: number | null;
  readonly manifest: TrainingManifest;
}

type Mapping = Record<string, unknown>;

/** A copy of `root` with `value` at a path; null if a value on the way to it is not a mapping. */
function withValue(
  root: Readonly<Mapping>,
  [key = "", ...rest]: readonly string[],
  value: unknown,
): Mapping | null {
  if (rest.length === 0) return { ...root, [key]: value };
  const inner = root[key] ?? {};
  const changed = isMapping(inner) ? withValue(inner, rest, value) : null;
  return changed && { ...root, [key]: changed };
}

/** The manifest with a seed, in all places that have one. */
function withSeed({ training = {}, mutation, ...rest }: Readonly<Mapping>, seed: number): Mapping {
  const isOwn = isMapping(mutation) && "rand_seed" in mutation;
  return {
    ...rest,
    // A section of the wrong type is left unchanged, so that validation reports it.
    training: isMapping(training) ? { ...training, seed } : training,
    ...(mutation !== undefined && { mutation: isOwn ? { ...mutation, rand_seed: seed } : mutation }),
  };
}

/** The whole path of a field: a key that only one section has needs no section before it. */
function pathOf(name: string, manifest: Readonly<Mapping>): string {
  if (name.includes(".") || Object.hasOwn(ManifestFields.shape, name)) return name;
  const { algorithm } = manifest;
  const section = sectionOfKey(name, isMapping(algorithm) ? algorithm.name : algorithm);
  return `${section ?? "algorithm"}.${name}`;
}

/** Longest name of a run in a message, in characters: values may be whole sections. */
const LONGEST = 80;

/** An issue of one combination: at the swept field if that has it, and saying which combination it is. */
function placed(issue: SpecIssue, { setting, name }: Pick<SweepRun, "setting" | "name">): SpecIssue {
  const [path] = Object.keys(setting)
    .filter((path) => issue.path === path || issue.path.startsWith(`${path}.`))
    // Of a section and a field in it, the field.
    .sort((a, b) => b.length - a.length);
  const segments = path === undefined ? ["manifest", ...issue.segments] : ["sweep", path];
  const isAlways = issue.code === "unknown_key" && path !== undefined;
  const told = name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name;
  const message = isAlways || name === "" ? issue.message : `${issue.message} (in the run ${told})`;
  return { ...issue, path: dottedPath(segments), segments, message };
}

function twoSeeds(): SpecError {
  const message = "found beside values of training.seed; give the seeds once";
  return new SpecError([{ code: "rule", path: "seeds", segments: ["seeds"], message }], "sweep");
}

/**
 * All runs of a sweep, seeds changing fastest. Nothing is trained.
 *
 * @param manifest The manifest that they share, as written: fields with a default may be left out.
 * @param options As for `parseManifest`.
 * @throws {@link SpecError} that names each field which cannot be set, and the first combination in which.
 *
 * @example
 * ```ts
 * const sweep = parseSweep({ seeds: "1..2", sweep: { lr: [0.001, 0.003] } });
 * const runs = expandSweep(sweep, { algorithm: { name: "DQN" }, environment: { name: "CartPole-v1" } });
 * console.log(runs.map(({ name }) => name)); // lr=0.001, seed=1 and three others
 * ```
 */
export function expandSweep(
  sweep: Pick<Sweep, "seeds" | "settings">,
  manifest: RawManifest,
  options: ParseManifestOptions = {},
): readonly SweepRun[] {
  requireFewRuns(sweep);
  const issues = new Map<string, SpecIssue>();
  const { onTranslated, ...checks } = options;
  const seen = new Set<string>();
  const runs = sweep.settings.flatMap((given) => {
    const named: Setting = Object.fromEntries(
      Object.entries(given).map(([path, value]) => [pathOf(path, manifest), value]),
    );
    const { "training.seed": drawn, ...setting } = named;
    if (sweep.seeds !== null && drawn !== undefined) throw twoSeeds();
    return (sweep.seeds ?? [drawn ?? null]).flatMap((seed) => {
      const name = settingText({ ...setting, ...(seed !== null && { seed }) });
      const add = (issue: SpecIssue): void => {
        const at = placed(issue, { setting, name });
        // The same fault in many combinations is told once.
        const key = `${at.path} ${issue.message}`;
        if (!issues.has(key)) issues.set(key, at);
      };
      let whole: Mapping = { ...manifest };
      for (const [path, value] of Object.entries(setting)) {
        const next = withValue(whole, path.split("."), value);
        if (next) whole = next;
        else
          add({
            code: "unknown_key",
            path,
            segments: [path],
            message: `there is no field ${show(path)} in the manifest`,
          });
      }
      if (seed !== null) whole = withSeed(whole, seed as number);
      const result = checkManifest(whole, checks);
      if (!result.success) {
        for (const issue of result.issues) add(issue);
        return [];
      }
      for (const warning of result.translated) {
        if (!seen.has(warning.path)) onTranslated?.(warning);
        seen.add(warning.path);
      }
      return [{ name, setting, seed: result.manifest.training.seed, manifest: result.manifest }];
    });
  });
  if (issues.size > 0) throw new SpecError(limitIssues([...issues.values()]), "sweep");
  return runs;
}
