/** Decodes a run at a generation boundary from the files of its checkpoint. */
import { HPO_RECIPE } from "../../manifests/index.ts";
import { StorageError } from "../../storage/index.ts";
import {
  CHAMPION_FILE,
  currentRecord,
  ELITE_FILE,
  memberFile,
  missingFile,
  RUN_FILE,
  type SavedRun,
} from "../loop/runFiles.ts";
import type { WorkloadDefinition } from "../loop/WorkloadDefinition.ts";
import { findWorkload, listWorkloads } from "./registry.ts";

/** A saved run, and the definition of its workload. */
export interface ReadRun extends SavedRun {
  readonly definition: WorkloadDefinition;
}

/**
 * Reads a checkpoint's files.
 * @param saved Files returned by `readCheckpoint`, which has verified their hashes.
 * @throws StorageError "corrupt" or "version", naming the file.
 */
export function decodeRun(saved: ReadonlyMap<string, Uint8Array>, dir: string): ReadRun {
  const runJson = saved.get(RUN_FILE);
  if (!runJson) throw missingFile(dir, RUN_FILE);
  const path = `${dir}/${RUN_FILE}`;
  const { record, files } = currentRecord(runJson, saved, path);
  const definition = findWorkload(record.workload);
  if (!definition) {
    throw new StorageError(
      "version",
      path,
      `is a run of the workload "${record.workload}", which is not registered; registered are ${listWorkloads().join(", ")}: import the module that registers it`,
    );
  }
  const agent = (name: string) => {
    const bytes = files.get(name);
    if (!bytes) throw missingFile(dir, name);
    return definition.files.decodeAgent(bytes, `${dir}/${name}`);
  };
  const { generation, population, evolution_due, started, device, seed, manifest } = record;
  const members = Array.from({ length: population }, (_, slot) => agent(memberFile(slot)));
  const elite = files.has(ELITE_FILE) ? agent(ELITE_FILE) : null;
  const champion = files.has(CHAMPION_FILE) ? agent(CHAMPION_FILE) : elite;
  const { resting, guarded, plateau, recipe = 1 } = record;
  const shared = definition.files.decodeShared(record, files, dir);
  const position = { generation, evolution_due, started, device };
  return {
    definition,
    state: {
      ...shared,
      ...position,
      members,
      elite,
      champion,
      ...(resting && { resting }),
      ...(guarded && { guarded }),
      ...(plateau && { plateau }),
      ...(recipe !== HPO_RECIPE && { recipe }),
    },
    seed,
    manifest,
  };
}
