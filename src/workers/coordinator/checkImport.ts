/** Checks, beyond the integrity of its files, that this build can open, show and train an imported run. */

import { z } from "zod";
import { parseManifestObject } from "../../manifests/index.ts";
import { EliteDirectory } from "../../storage/checkpoints.ts";
import { reasonOf } from "../../storage/files.ts";
import {
  type FileStore,
  type LoggedEvent,
  type RunManifest,
  readCheckpoint,
  readRunLog,
} from "../../storage/index.ts";
import { decodePopulation, requireSteering } from "../../training/loop.ts";
import { workloadOf } from "../../training/workloads/registry.ts";
import { decodeRun } from "../../training/workloads.ts";
import { readStoredRun, recallModule } from "../files/storedRun.ts";
import { parseInput } from "./parseInput.ts";
import { requireName } from "./RunEdits.ts";

/** The log preserves NaN and infinities. */
const number = z.custom<number>((value) => typeof value === "number", "is not a number");
const numbers = z.record(z.string(), number);
const member = z.looseObject({
  slot: z.int(),
  index: z.int(),
  parent: z.int().nullable(),
  fitness: number,
  steps: number,
  score: number.nullable(),
  training: z.array(z.tuple([number, number])).exactOptional(),
  mutation: z.string().max(200),
  hyperparameters: numbers,
  metrics: numbers,
  architecture: z.string(),
  learn_steps: number,
});
const row = z.looseObject({
  generation: z.int().positive(),
  global_step: number,
  seconds: number,
  fitnesses: z.array(number),
});
const report = row.extend({
  event: z.literal("generation"),
  elite: z.int(),
  members: z.array(member),
  lineage: z.array(
    z.looseObject({ slot: z.int(), index: z.int(), hyperparameters: z.record(z.string(), z.unknown()) }),
  ),
});
const SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  generation: z.looseObject({ report }),
  past: z.looseObject({ generations: z.array(row) }),
  notice: z.looseObject({
    notice: z.looseObject({ level: z.enum(["info", "warning", "error"]), message: z.string(), at: number }),
  }),
  completions: z.looseObject({
    report: z.looseObject({ generation: z.int(), records: z.array(z.record(z.string(), z.unknown())) }),
  }),
  resumed: z.looseObject({ generation: z.int().nonnegative() }),
  steering: z.looseObject({ generation: z.int().nonnegative(), action: z.unknown() }),
};

function checkEvent({ seq, event }: LoggedEvent): void {
  const parsed = SCHEMAS[event.type]?.safeParse(event);
  const [issue] = parsed?.error?.issues ?? [];
  if (issue) throw new Error(`event ${seq} of its log: ${issue.path.join(".")}: ${issue.message}`);
  if (event.type === "steering") requireSteering(event.action);
  if (event.type === "run" && event.name !== undefined) requireName(event.name);
}

/** @throws Error with the reason if this build cannot use the run. */
export async function checkImport(run: {
  readonly manifest: RunManifest;
  readonly files: FileStore;
}): Promise<void> {
  try {
    await check(run.manifest, run.files);
  } catch (error) {
    throw new Error(`The run was not imported: ${reasonOf(error)}`, { cause: error });
  }
}

async function check(manifest: RunManifest, files: FileStore): Promise<void> {
  requireName(manifest.name);
  const stored = readStoredRun(manifest);
  // No user code runs: an environment's spaces are stored beside its code.
  if (stored.user_module) await recallModule(parseManifestObject(stored.manifest), stored.user_module);
  const { files: codec } = workloadOf(await parseInput(stored.manifest, null));
  for (const { name } of await files.list("ck")) {
    const dir = `ck/${name}`;
    decodeRun((await readCheckpoint(files, dir)).files, dir);
  }
  const elites = await EliteDirectory.read(files, "elites");
  for (const entry of elites.entries) {
    const agent = codec.decodeAgent(await elites.policy(entry), `elites/${entry.sha256}`);
    if (agent.index !== entry.index)
      throw new Error(
        `elite of generation ${entry.generation}: found agent ${agent.index}, not ${entry.index}`,
      );
  }
  const populations = await EliteDirectory.read(files, "populations");
  for (const entry of populations.entries)
    decodePopulation(await populations.policy(entry), codec, `populations/${entry.sha256}`);
  for (const { name } of await files.list("fame")) {
    const dir = `fame/${name}`;
    for (const [path, bytes] of (await readCheckpoint(files, dir)).files)
      codec.decodeAgent(bytes, `${dir}/${path}`);
  }
  await readRunLog(files, "log", (event) => {
    checkEvent(event);
    return false;
  });
}
