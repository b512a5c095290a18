/** Files of a run's best member for the user. */
import type { TrainingManifest } from "../specs/index.ts";
import { agentFactsOf } from "../training/plan/environmentOf.ts";
import { rlAgentOf } from "../training/workloads/reinforcementLearning.ts";
import type { Download } from "./protocol.ts";
import type { Elite } from "./runCatalog.ts";

export interface DownloadedElite {
  readonly elite: Elite;
  readonly manifest: TrainingManifest;
}

/** The member as a safetensors agent file. */
export const eliteFile = ({ elite: { agent, definition }, manifest }: DownloadedElite): Download =>
  fileOf(manifest, "elite.safetensors", definition.files.encodeAgent(agent, definition.runs.facts(manifest)));

/** Its policy as an ONNX model. @throws Error for a run whose members have none. */
export async function policyFile({ elite, manifest }: DownloadedElite): Promise<Download> {
  // Its encoder is no part of what the worker opens with.
  const { policyToOnnx } = await import("../rl/runtime/policyToOnnx.ts");
  const policy = rlAgentOf(elite.definition, elite.agent);
  if (!policy) throw new Error(`Members of a run of ${manifest.algorithm.name} have no policy to export.`);
  return fileOf(manifest, "policy.onnx", policyToOnnx(policy, agentFactsOf(manifest)));
}

const fileOf = (
  { environment, algorithm }: TrainingManifest,
  suffix: string,
  bytes: Uint8Array,
): Download => ({
  // Ids may have a part before a slash, which is no name of a file.
  name: `${environment.name.replaceAll("/", "-")}-${algorithm.name}-${suffix}`,
  type: "application/octet-stream",
  bytes: new Uint8Array(bytes),
});
