/** User-written environments, and requests for the sandboxes that run them. */
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

/** Asks the page for a sandbox. */
export interface SandboxRequest {
  readonly id: number;
}

/** The page's answer, with its ports transferred. */
export type SandboxAnswer<Ports extends SandboxPorts = LentPorts> =
  | { readonly id: number; readonly ports: Ports }
  | { readonly id: number; readonly problem: string };
