/** The contract between the UI thread and the worker that speaks with a remote platform (over comlink). All plain data. */
import type { Coordinator, Download, RunEvent, RunSummary } from "./protocol.ts";

const PREFIX = "remote:";

/** What the workbench calls an experiment of a remote platform: no run of this browser has such an id. */
export const remoteRunId = (experiment: string): string => `${PREFIX}${experiment}`;

export const isRemoteRun = (id: string): boolean => id.startsWith(PREFIX);

/** The id that the platform knows a run by. */
export const experimentIdOf = (run: string): string => run.slice(PREFIX.length);

/** Calls about one run, whose id comes first: those that a platform's runs answer too. */
export const CALLS_ABOUT_A_RUN = [
  "snapshot",
  "generations",
  "history",
  "pause",
  "resume",
  "stop",
  "extend",
  "fork",
  "deleteRun",
  "discard",
  "rename",
  "setTags",
  "setNote",
  "steer",
  "steering",
  "agents",
  "agent",
  "players",
  "network",
  "checkpoints",
  "pin",
  "deleteCheckpoint",
  "downloadElite",
  "downloadPolicy",
  "downloadMetrics",
  "downloadEvents",
  "exportRun",
  "runEnvironment",
  "kernels",
] as const satisfies readonly (keyof Coordinator)[];

export type RunCalls = Pick<Coordinator, (typeof CALLS_ABOUT_A_RUN)[number]>;

/** A platform that let a key in. */
export interface RemotePlatform {
  readonly address: string;
  /** Whose key it is. */
  readonly user: {
    readonly name: string;
    /** What the key allows: "read", "submit" and so on. */
    readonly scopes: readonly string[];
    /** The only project that it reaches; null for all. */
    readonly project: string | null;
  };
  /** Names of the projects that it reaches. */
  readonly projects: readonly string[];
}

/** What trains runs there. */
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

/** A run to be trained there. */
export interface RemoteSubmission {
  /** An object, or YAML or JSON text. */
  readonly manifest: unknown;
  readonly project: string;
  /** The platform's choice where null. */
  readonly name: string | null;
  /** Machines that it is spread over, from 1; the platform's choice where null. */
  readonly num_nodes: number | null;
}

/** What is asked of a platform beside its runs. Every rejection is an Error whose message can be shown as it is. */
export interface RemoteCalls {
  /**
   * Looks whether there is a platform that knows the key, which is kept in this worker's memory alone. The other calls
   * reject before it.
   * @param address http or https.
   */
  connect(address: string, key: string): Promise<RemotePlatform>;
  /** {@link RemoteMessage}s go to this port, from now on; one subscriber at a time. */
  subscribe(port: MessagePort): Promise<void>;
  machines(): Promise<RemoteMachines>;
  /** A project's runs, the newest first. */
  listRuns(project: string): Promise<readonly RunSummary[]>;
  /** Submits a run. Returns what the workbench calls it. */
  submit(submission: RemoteSubmission): Promise<string>;
  /** A page shows the run from now on: its events come until as many have {@link release}d it. */
  hold(run: string): Promise<void>;
  release(run: string): Promise<void>;
  /** A checkpoint as a zip, which `rlkit train --resume` reads once it is unpacked. */
  downloadCheckpoint(run: string, generation: number): Promise<Download>;
}

export type RemoteMessage =
  | { readonly kind: "event"; readonly event: RunEvent }
  /** Whether the platform answers: why it does not, or null when it does again. */
  | { readonly kind: "link"; readonly problem: string | null };
