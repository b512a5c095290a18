/** Environments that a person wrote: what the page asks of the coordinator. All plain data. */
import type { LentPorts, SandboxPorts } from "../../sandbox/browser/SandboxPorts.ts";

export interface KeptEnvironment {
  readonly name: string;
  /** What a manifest calls it: `user/<name>`. */
  readonly id: string;
  /** Of the text, in 64 hexadecimal digits. */
  readonly sha256: string;
  /** Of the text. */
  readonly bytes: number;
}

/** The code of an environment. */
export interface EnvironmentText extends Omit<KeptEnvironment, "bytes"> {
  /** As it was written. */
  readonly source: string;
}

export interface EnvironmentCalls {
  /** The environments that are kept, by name. */
  listEnvironments(): Promise<readonly KeptEnvironment[]>;
  readEnvironment(name: string): Promise<EnvironmentText>;
  /**
   * Keeps a text under a name, in place of the one that had it. Runs are not changed: each has a copy of its own. The text
   * is not run. Rejects with what is wrong with the name or the size.
   */
  saveEnvironment(name: string, source: string): Promise<EnvironmentText>;
  deleteEnvironment(name: string): Promise<void>;
  /** The text that a run was started with; null where its environment is no person's own. */
  runEnvironment(run: string): Promise<EnvironmentText | null>;
  /** The coordinator's threads get their sandboxes on this port: {@link SandboxRequest}, {@link SandboxAnswer}. */
  lendSandboxes(port: MessagePort): Promise<void>;
}

/** Asks the page for a sandbox. */
export interface SandboxRequest {
  readonly id: number;
}

/** The page's answer, with its ports moved. */
export type SandboxAnswer<Ports extends SandboxPorts = LentPorts> =
  | { readonly id: number; readonly ports: Ports }
  | { readonly id: number; readonly problem: string };
