import { parseSweep, type RawManifest, type Sweep } from "../../../manifests/index.ts";
import { isMapping } from "../../../specs/messages.ts";
import { formatThings } from "../../lib/format.ts";
import { readManifest } from "./document/ManifestDocument.ts";
import { valueAt } from "./form/formNodes.ts";

/** A sweep as the user types it. */
export interface SweepChoices {
  /** Names with commas between them; empty for the manifest's own. */
  readonly environments: string;
  readonly algorithms: string;
  /** A range such as 1..5, or a list; empty for the manifest's own seed. */
  readonly seeds: string;
  /** YAML: lists of values by field. */
  readonly others: string;
}

/** What a sweep trains. */
export interface ChosenSweep {
  readonly sweep: Pick<Sweep, "seeds" | "settings">;
  readonly runs: number;
  /** Such as "2 environments × 3 seeds". */
  readonly product: string;
}

const namesIn = (text: string): readonly string[] =>
  text
    .split(/[,\n]/)
    .map((name) => name.trim())
    .filter((name) => name !== "");

/** @throws Error naming the line, if the text is no mapping. */
function othersIn(text: string): Readonly<Record<string, unknown>> {
  const read = readManifest(text);
  if (read.ok) return read.manifest.values;
  throw new Error(`Other fields, line ${read.line}: write each as a list, such as lr: [0.001, 0.003].`);
}

/** The section of an algorithm. Another one than the manifest's has its own defaults, also of what mutates. */
function sectionOf(name: unknown, manifest: RawManifest): Readonly<Record<string, unknown>> {
  if (name === valueAt(manifest, ["algorithm", "name"])) return { algorithm: manifest.algorithm };
  return {
    algorithm: { name },
    ...(isMapping(manifest.mutation) && { "mutation.rl_hp_selection": {} }),
  };
}

const counted = (count: number, thing: string): readonly string[] =>
  count === 0 ? [] : [formatThings(count, thing)];

/** @throws Error that says what is wrong, or the number of runs if they are too many. */
export function chosenSweep(choices: SweepChoices, manifest: RawManifest): ChosenSweep {
  const { seeds } = choices;
  const [environments, algorithms] = [namesIn(choices.environments), namesIn(choices.algorithms)];
  const others = othersIn(choices.others);
  const sweep = parseSweep({
    ...(seeds.trim() !== "" && { seeds: /^\s*\d+\s*$/.test(seeds) ? [Number(seeds)] : seeds }),
    sweep: {
      ...(algorithms.length > 0 && { "algorithm.name": algorithms }),
      ...(environments.length > 0 && { "environment.name": environments }),
      ...others,
    },
  });
  const settings = sweep.settings.map(({ "algorithm.name": name, ...rest }) => ({
    ...(name !== undefined && sectionOf(name, manifest)),
    ...rest,
  }));
  const factors = [
    ...counted(algorithms.length, "algorithm"),
    ...counted(environments.length, "environment"),
    ...Object.entries(others).map(
      ([field, list]) => `${formatThings(Array.isArray(list) ? list.length : 1, "value")} of ${field}`,
    ),
    ...counted(sweep.seeds?.length ?? 0, "seed"),
  ];
  return {
    sweep: { seeds: sweep.seeds, settings },
    runs: settings.length * (sweep.seeds?.length ?? 1),
    product: factors.join(" × "),
  };
}
