import { create } from "zustand";
import type { RunEvent } from "../../workers/protocol.ts";
import type { RemotePlatform } from "../../workers/remoteProtocol.ts";
import { type PlatformCalls, PlatformClient } from "../client/PlatformClient.ts";
import type { RemoteRuns } from "../client/withRemoteRuns.ts";
import { messageOf } from "../lib/messageOf.ts";

export interface RemoteState {
  /** As it was given last, also where nothing answered there. */
  readonly address: string;
  readonly connecting: boolean;
  /** Null while none is connected. */
  readonly platform: RemotePlatform | null;
  /** The project whose runs are listed, and that new ones go to. */
  readonly project: string;
  /** Why nothing is connected that should be; null for nothing to say. */
  readonly problem: string | null;
  /** Why the connected platform does not answer now; null when it does. */
  readonly silence: string | null;
}

const NONE: RemoteState = {
  address: "http://127.0.0.1:8400",
  connecting: false,
  platform: null,
  project: "",
  problem: null,
  silence: null,
};

/** Project that a platform begins with. */
const FIRST_PROJECT = "default";

/** The platform that this page is connected with. Nothing of it is stored, and its key is in its worker alone. */
export const useRemotePlatform = create<RemoteState>(() => NONE);

let client: PlatformClient | null = null;
const listeners = new Set<(event: RunEvent) => void>();

/** The platform's calls. @throws Error that says what to do, while none is connected. */
export function remoteCalls(): PlatformCalls {
  if (client !== null) return client.calls;
  throw new Error("This run is on a remote platform, and this page is connected with none.");
}

export const remoteRuns: RemoteRuns = {
  calls: remoteCalls,
  onEvent: (listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  hold: (run) => {
    const held = client;
    // Where the platform is gone, nothing of its runs comes any more.
    held?.calls.hold(run).catch(() => undefined);
    return () => void held?.calls.release(run).catch(() => undefined);
  },
};

/** Connects with a platform in place of the one before; what becomes of it stands in the state. */
export async function connectPlatform(address: string, key: string): Promise<void> {
  disconnectPlatform();
  const own = new PlatformClient({
    hear: (message) => {
      if (client !== own) return;
      if (message.kind === "link") tellSilence(message.problem);
      else for (const listener of listeners) listener(message.event);
    },
    onLost: (reason) => {
      if (client === own) disconnectPlatform(messageOf(reason));
    },
  });
  client = own;
  useRemotePlatform.setState({ address, connecting: true, problem: null });
  try {
    const platform = await own.calls.connect(address, key);
    const { user, projects } = platform;
    const first = projects.includes(FIRST_PROJECT) ? FIRST_PROJECT : (projects[0] ?? FIRST_PROJECT);
    if (client === own)
      useRemotePlatform.setState({ connecting: false, platform, project: user.project ?? first });
  } catch (error) {
    if (client === own) disconnectPlatform(messageOf(error));
  }
}

/** @param problem Why, where nobody asked for it. */
export function disconnectPlatform(problem: string | null = null): void {
  client?.close();
  client = null;
  useRemotePlatform.setState({ ...NONE, address: useRemotePlatform.getState().address, problem });
}

/** Whether the platform answers: why it does not, or null when it does. */
export function tellSilence(silence: string | null): void {
  if (useRemotePlatform.getState().silence !== silence) useRemotePlatform.setState({ silence });
}
