/** Door: agent files and manifests in files. */
export { type AgentFile, decodeAgent, decodeKeptAgent, encodeAgent } from "./files/agentFile.ts";
export { agentMetadata, jsonNumber, numberToJson } from "./files/agentMetadata.ts";
export { directoryError } from "./files/manifestSource.ts";
export { type ManifestSource, readManifest } from "./files/readManifest.ts";
export { readSweep, type SweepSource } from "./files/readSweep.ts";
