import { createHash } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import { geneWords } from "../../src/stage/geneWords.ts";
import { quantisePolicy } from "../../src/stage/packedPolicy.ts";
import { encodeRecording, type RecordedMember, type RecordedRun } from "../../src/stage/recording.ts";
import { recordedManifest, SEED, type TrainedGeneration } from "./trainRecorded.ts";

export const RECORDED_FILE = "src/ui/theatre/recordedRun.ts";
/** Policies run as fast with so few values of their weights; fewer are visible. */
const LEVELS = 18;

/** SHA-256 of the manifest that the run has. */
export const manifestHash = (): string =>
  createHash("sha256").update(JSON.stringify(recordedManifest())).digest("hex");

/** The recording and, in order, the bodies of its policies. */
function recorded(trained: readonly TrainedGeneration[]): [RecordedRun, Uint8Array[]] {
  const environment = recordedManifest().environment.name;
  const structures: string[] = [];
  const bodies: Uint8Array[] = [];
  const settings = trained[0]?.agents[0]?.hyperparameters ?? {};
  const memberOf = (
    { report, agents }: TrainedGeneration,
    slot: number,
    isFirst: boolean,
  ): RecordedMember => {
    const [member, agent] = [report.members[slot], agents[slot]];
    if (!member || !agent) throw new Error(`Generation ${report.generation} has no member in slot ${slot}.`);
    const { index, parent, fitness, mutation, mutation_detail: detail } = member;
    // What acting does not depend on is the same for all, so that they share headers.
    const plain = { ...agent, index: 0, hyperparameters: settings };
    const { header, body } = quantisePolicy(
      { agent: plain, environment, env_config: null, generation: 0, fitness: null },
      LEVELS,
    );
    if (!structures.includes(header)) structures.push(header);
    bodies.push(body);
    return {
      index,
      parent: isFirst ? null : (parent ?? index),
      fitness: Math.round(fitness),
      note: isFirst || !detail ? null : geneWords(detail, mutation),
      structure: structures.indexOf(header),
      size: body.length,
    };
  };
  const generations = trained.map((one, at) => ({
    generation: one.report.generation,
    members: one.agents.map((_, slot) => memberOf(one, slot, at === 0)),
  }));
  const command = "npx tsx scripts/theatre/recordRun.ts";
  const provenance = { command, seed: SEED, manifest_sha256: manifestHash(), levels: LEVELS };
  return [{ version: 1, environment, provenance, structures, generations }, bodies];
}

/** The module with the recording of a run. */
export function recordedModule(trained: readonly TrainedGeneration[]): string {
  const packed = deflateRawSync(encodeRecording(...recorded(trained)), { level: 9 });
  return `/** Written by \`npx tsx scripts/theatre/recordRun.ts\`: a recorded run, deflated, in base64. */
export const recordedRun =
  "${packed.toString("base64")}";
`;
}
