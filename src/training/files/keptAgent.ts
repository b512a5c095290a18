import { type AgentFile, decodeAgent } from "./agentFile.ts";

/**
 * Decodes an agent from a workbench: a complete one, or only its policy, which can act but not learn.
 * @throws StorageError like `decodeAgent`.
 */
export const decodeKeptAgent = (bytes: Uint8Array): AgentFile =>
  decodeAgent(bytes, "agent", { verified: true });
