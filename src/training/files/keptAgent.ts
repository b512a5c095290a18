import { type AgentFile, decodeAgent } from "./agentFile.ts";

/**
 * Reads an agent that a workbench gave: whole, or its policy alone, which acts and cannot learn.
 * @throws StorageError as `decodeAgent`.
 */
export const decodeKeptAgent = (bytes: Uint8Array): AgentFile =>
  decodeAgent(bytes, "agent", { verified: true });
