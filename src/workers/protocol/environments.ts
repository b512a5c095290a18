/** User-written environments: calls from the page to the coordinator. All data is plain. */
import type { LentPorts, SandboxPorts } from "../../sandbox/browser.ts";

export interface KeptEnvironment {
  readonly name: string;
  /** The name in manifests: `user/<name>`. */
  readonly id: string;
  /** SHA-256 of the text, in 64 hexadecimal digits. */
  readonly sha256: string;
  /** Size of the text. */
  readonly bytes: number;
}

/** The code of an environment. */
export interface EnvironmentText extends Omit<KeptEnvironment, "bytes"> {
  /** The source text, unchanged. */
  readonly source: string;
}

export interface EnvironmentCalls {
  /** The stored environments, by name. */
  listEnvironments(): Promise<readonly KeptEnvironment[]>;
  readEnvironment(name: string): Promise<EnvironmentText>;
  /**
   * Stores a text under a name, replacing an earlier text. Runs do not change, because each has its own copy.
   * The text is not executed. Rejects with the problem if the name or the size is invalid.
   */
  saveEnvironment(name: string, source: string): Promise<EnvironmentText>;
  deleteEnvironment(name: string): Promise<void>;
  /** The text that a run was started with; null if its environment is not user-written. */
  runEnvironment(run: string): Promise<EnvironmentText | null>;
  /**
   * Passes the port that provides sandboxes to the coordinator's threads:
   * {@link SandboxRequest}, {@link SandboxAnswer}.
   */
  lendSandboxes(port: MessagePort): Promise<void>;
}

/** Asks the page for a sandbox. */
export interface SandboxRequest {
  readonly id: number;
}

/** The page's answer, with its ports transferred. */
export type SandboxAnswer<Ports extends SandboxPorts = LentPorts> =
  | { readonly id: number; readonly ports: Ports }
  | { readonly id: number; readonly problem: string };
