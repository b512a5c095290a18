/** Sweeps: one manifest with lists of values, in rlkit's form or that of Weights & Biases. */
import { z } from "zod";
import { dottedPath, parseSpec, SpecError } from "../../specs/checks.ts";
import { isMapping, show } from "../../specs/messages.ts";
import { readSpecText } from "../manifestText.ts";
import { seedList } from "./seedList.ts";
import { combinationsOf, grid, type Setting, tooManyRuns } from "./settings.ts";
import { WandbSweep, wandbSettings } from "./wandbSweep.ts";

/** A manifest as written, before it is parsed. */
export type RawManifest = Readonly<Record<string, unknown>>;

/** A sweep: what its runs have in common, and in what they differ. */
export interface Sweep {
  /** The manifest itself, or the name of a template or file; null if the sweep names none. */
  readonly manifest: string | RawManifest | null;
  /** Seeds with which each setting is trained; null for the manifest's own. */
  readonly seeds: readonly number[] | null;
  /** Values of fields by dotted path, one entry for each combination. */
  readonly settings: readonly Setting[];
}

/** A sweep as it is written. */
export interface SweepInput {
  /** The manifest itself, or the name of a template, or a file beside the sweep's. */
  readonly manifest?: string | RawManifest;
  /** Seeds for each combination, such as "1..10" or [1, 2, 5] (default: the manifest's). */
  readonly seeds?: string | readonly number[];
  /** Values of fields by dotted path, such as "algorithm.lr": all combinations are trained (default: none). */
  readonly sweep?: Readonly<Record<string, readonly unknown[]>>;
}

const manifest = z.union([z.string().min(1), z.record(z.string(), z.unknown())]).optional();

const SweepSchema = z.strictObject({
  manifest,
  seeds: z.unknown().optional(),
  sweep: z.record(z.string(), z.array(z.unknown()).min(1)).default({}),
});

/**
 * Reads a sweep. Its keys are `manifest`, `seeds` and `sweep`; in a sweep file of Weights & Biases, `method` and
 * `parameters` stand in place of `sweep`.
 *
 * @param input An object, or YAML or JSON text.
 * @param name Name of the text's file, for messages.
 * @throws {@link SpecError} naming the place.
 *
 * @example
 * ```ts
 * const sweep = parseSweep({
 *   manifest: "ppo-cartpole",
 *   seeds: "1..3",
 *   sweep: { "algorithm.lr": [0.001, 0.003] },
 * });
 * console.log(sweep.settings.length); // 2
 * ```
 */
export function parseSweep(input: string | SweepInput | RawManifest, name = "sweep"): Sweep {
  if (typeof input === "string") return readSpecText(input, name, readSweep);
  return readSweep(input);
}

function readSweep(raw: unknown): Sweep {
  const isWandb = isMapping(raw) && !("sweep" in raw) && ("parameters" in raw || "method" in raw);
  const sweep = isWandb ? readWandb(raw) : readOwn(raw);
  if (sweep.settings.length === 1 && sweep.seeds === null)
    throw problem(["sweep"], "missing; list values of at least one field, or seeds such as 1..10");
  requireFewRuns(sweep);
  return sweep;
}

/** @throws SpecError with the number, if the sweep has too many runs. */
export function requireFewRuns({ settings, seeds }: Pick<Sweep, "settings" | "seeds">): void {
  const message = tooManyRuns(settings.length * (seeds?.length ?? 1));
  if (message !== null) throw problem([], message);
}

const problem = (segments: readonly (string | number)[], message: string): SpecError =>
  new SpecError([{ code: "rule", path: dottedPath(segments), segments, message }], "sweep");

function readOwn(raw: unknown): Sweep {
  const { manifest = null, seeds, sweep } = parseSpec(SweepSchema, raw);
  for (const [path, values] of Object.entries(sweep)) {
    const texts = values.map((value) => JSON.stringify(value));
    const twice = texts.findIndex((text, at) => texts.indexOf(text) < at);
    if (twice >= 0) throw problem(["sweep", path, twice], `found ${show(values[twice])} twice; list it once`);
  }
  const chosen = seeds === undefined ? null : seedList(seeds);
  const message = tooManyRuns(combinationsOf(sweep) * (chosen?.length ?? 1));
  if (message !== null) throw problem(["sweep"], message);
  return { manifest, seeds: chosen, settings: grid(sweep) };
}

/** Keys that W&B does not have are rlkit's. */
function readWandb(raw: RawManifest): Sweep {
  const { manifest: own, seeds, ...config } = raw;
  const { manifest: named = null } = parseSpec(z.strictObject({ manifest }), { manifest: own });
  return {
    manifest: named,
    seeds: seeds === undefined ? null : seedList(seeds),
    settings: wandbSettings(parseSpec(WandbSweep, config)),
  };
}
