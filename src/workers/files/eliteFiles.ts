/** Files of a run's best member for the user to download. */
import type { TrainingManifest } from "../../manifests/index.ts";
import type { FileStore } from "../../storage/index.ts";
import type { Member, WorkloadDefinition } from "../../training/loop.ts";
import { trainingPlace } from "../../training/plan.ts";
import { rlAgentOf } from "../../training/workloads.ts";
import type { Download } from "../protocol/stored.ts";

/** The best member of a run's last generation. */
export interface Elite {
  readonly agent: Member;
  /** The workload of its run. */
  readonly definition: WorkloadDefinition;
  readonly generation: number;
}

export interface DownloadedElite {
  readonly elite: Elite;
  readonly manifest: TrainingManifest;
  /** The store of files that the member depends on. */
  readonly files: FileStore;
}

/** The member as a safetensors agent file, or as a zip of its directory if other programs read that. */
export async function eliteFile({
  elite: { agent, definition },
  manifest,
  files,
}: DownloadedElite): Promise<Download> {
  const directory = await definition.files.directory?.(agent, manifest, files);
  if (!directory) {
    const bytes = definition.files.encodeAgent(agent, definition.runs.facts(manifest));
    return fileOf(manifest, "elite.safetensors", bytes);
  }
  // Loaded on demand, so that the worker's start does not load the zip encoder.
  const { zipFiles } = await import("./zipFiles.ts");
  const zip = zipFiles(directory);
  return { ...fileOf(manifest, "elite.zip", zip), type: "application/zip" };
}

/** The member's policy as an ONNX model. @throws Error for a run whose members have none. */
export async function policyFile({ elite, manifest, files }: DownloadedElite): Promise<Download> {
  // Loaded on demand, so that the worker's start does not load the ONNX encoder.
  const { policyToOnnx } = await import("../../agents/runtime/policyToOnnx.ts");
  const policy = rlAgentOf(elite.definition, elite.agent);
  if (!policy) throw new Error(`Members of a run of ${manifest.algorithm.name} have no policy to export.`);
  await elite.definition.runs.loadPlace?.(manifest, files);
  const { observation_space, action_space } = trainingPlace(manifest).layout;
  const facts = { observation_space, action_space, environment: manifest.environment.name };
  return fileOf(manifest, "policy.onnx", policyToOnnx(policy, facts));
}

const fileOf = (
  { environment, algorithm }: TrainingManifest,
  suffix: string,
  bytes: Uint8Array,
): Download => ({
  // An id may contain a slash, which a file name must not.
  name: `${environment.name.replaceAll("/", "-")}-${algorithm.name}-${suffix}`,
  type: "application/octet-stream",
  bytes: new Uint8Array(bytes),
});
