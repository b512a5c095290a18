/**
 * The contract between the UI thread and the worker for a remote platform (over comlink). All data is plain.
 */

import { RUN_CALLS } from "./calls.ts";
import { type ClientCalls, call, portCall } from "./callTable.ts";
import type { RunEvent, RunSummary } from "./runs.ts";
import type { Download } from "./stored.ts";

const PREFIX = "remote:";

/** The workbench's id for an experiment of a remote platform; no run of this browser has such an id. */
export const remoteRunId = (experiment: string): string => `${PREFIX}${experiment}`;

export const isRemoteRun = (id: string): boolean => id.startsWith(PREFIX);

/** The platform's id of a run. */
export const experimentIdOf = (run: string): string => run.slice(PREFIX.length);

/** A platform that accepted a key. */
export interface RemotePlatform {
  readonly address: string;
  /** The owner of the key. */
  readonly user: {
    readonly name: string;
    /** Permissions of the key: "read", "submit" and so on. */
    readonly scopes: readonly string[];
    /** The only project that the key can access; null for all. */
    readonly project: string | null;
  };
  /** Names of the projects that the key can access. */
  readonly projects: readonly string[];
}

/** The machines that train runs on the platform. */
export interface RemoteMachines {
  readonly resources: readonly {
    readonly resource_id: string;
    readonly description: string;
    readonly workers: number;
    readonly cores: number;
  }[];
  readonly workers: readonly {
    readonly id: string;
    readonly host: string;
    readonly cores: number;
    readonly device: string;
    readonly version: string;
  }[];
}

/** A run to train on the platform. */
export interface RemoteSubmission {
  /** An object, or YAML or JSON text. */
  readonly manifest: unknown;
  readonly project: string;
  /** Null lets the platform choose. */
  readonly name: string | null;
  /** Number of machines that the run is spread over, from 1; null lets the platform choose. */
  readonly num_nodes: number | null;
}

/**
 * The calls to a platform besides those about a run that the coordinator also answers. Every rejection is an Error whose
 * message can be shown unchanged.
 */
export const PLATFORM_CALLS = {
  /**
   * Checks that the address (http or https) is a platform that accepts the key. The key is kept only in this worker's
   * memory. The other calls reject before this one.
   */
  connect: call<(address: string, key: string) => Promise<RemotePlatform>>(),
  /** Sends {@link RemoteMessage}s to this port from now on; one subscriber at a time. */
  subscribe: portCall(),
  machines: call<() => Promise<RemoteMachines>>(),
  /** A project's runs, the newest first. */
  listRuns: call<(project: string) => Promise<readonly RunSummary[]>>({ moves: true }),
  /** Submits a run. Returns the workbench's id of it. */
  submit: call<(submission: RemoteSubmission) => Promise<string>>(),
  /** Marks the run as shown by a page. Its events arrive until each `hold` has a matching `release`. */
  hold: call<(run: string) => Promise<void>>(),
  release: call<(run: string) => Promise<void>>(),
  /**
   * Posts a play file. Returns its short address.
   * @param title For previews.
   * @param poster A PNG for previews, in base64.
   */
  postPlay: call<(html: string, title: string, poster: string | null) => Promise<string>>(),
  /** A checkpoint as a zip; once it is unpacked, `rlkit train --resume` can read it. */
  downloadCheckpoint: call<(run: string, generation: number) => Promise<Download>>({ moves: true }),
};

/** All calls of the worker that is connected to a platform, with those about one run. */
export const REMOTE_CALLS = { ...RUN_CALLS, ...PLATFORM_CALLS };

export type PlatformCalls = ClientCalls<typeof REMOTE_CALLS>;

export type RemoteMessage =
  | { readonly kind: "event"; readonly event: RunEvent }
  /** Whether the platform responds: the reason why it does not, or null when it responds again. */
  | { readonly kind: "link"; readonly problem: string | null };
