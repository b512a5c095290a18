/**
 * Host runs that others submit, in a program for Node, with what the package's other entries lack (docs/platform.md).
 */
import { findAdapter } from "../kernels/webgpu.ts";

/** The contents of replay buffers, which turns on other machines send back. */
export { eachField, type LaneState, type ReplayRows } from "../agents/members.ts";
/** Names of this machine. */
export { isThisMachine, shownHost } from "../cli/app/serveDirectory.ts";
/** A command line: its errors and exit codes, its commands, its process, its program. */
export { CliError, type CliIo, EXIT, usageError } from "../cli/CliIo.ts";
export type { Command, CommandLine } from "../cli/CommandLine.ts";
export { processIo } from "../cli/processIo.ts";
export { type Program, runProgram } from "../cli/runProgram.ts";
/** Pauses before requests are repeated. */
export { pause, retryAfter } from "../http/waiting.ts";
/** What a submitted manifest names outside itself, and what platforms do not train. */
export { type OutsideName, outsideNames } from "../manifests/algorithms.ts";
export { requireTournament } from "../remote/manifestPayload.ts";
/** Schemas of spaces, and fields of replay buffers. */
export { jsonSpace } from "../rl/environments.ts";
export { REPLAY_FIELDS } from "../rl/programs.ts";
/** The version that the machines of one run share, and rubrics that need no module. */
export { VERSION } from "../specs/messages.ts";
export { TEXT_RUBRICS } from "../specs/sections.ts";
/** Commit records of checkpoints, names of unfinished files, reasons of errors. */
export { CHECKPOINT_FORMAT, CHECKPOINT_VERSION, COMMIT_FILE, encodeCommit } from "../storage/checkpoints.ts";
export { reasonOf, temporaryName } from "../storage/files.ts";
export { nodeStorageError } from "../storage/node/nodeFileStore.ts";
/** Metrics as CSV. */
export { csvLine, csvNumber } from "../tracking/clients.ts";
/** Where turns run. */
export { onDevice } from "../training/executors.ts";
/** Numbers that JSON lacks. */
export { jsonNumber, numberToJson } from "../training/files.ts";
/** A session: where it starts, what drives it, and the parts of a sink. */
export {
  BackgroundSaves,
  type Boundary,
  bestFitness,
  CheckpointRhythm,
  type Ending,
  Gate,
  longestFirst,
  RunSession,
  type RunSink,
  startOf,
} from "../training/loop.ts";
export { seedOf } from "../training/plan.ts";
/** The workload of a manifest, and a saved run of any workload. */
export { workloadIssues, workloadOf } from "../training/workloads/registry.ts";
export {
  decodeLanes,
  decodeRun,
  encodeLanes,
  LLM_WORKLOAD,
  RL_WORKLOAD,
  type RlKinds,
  reinforcementLearning,
} from "../training/workloads.ts";
/** Threads that run turns, and the manifest of a run that goes on. */
export { ComputePool, trainedManifest } from "../workers/computing.ts";

/** Resolves where a GPU can train. @throws Error that says what to install when WebGPU has no adapter. */
export async function requireGpu(): Promise<void> {
  await findAdapter();
}
