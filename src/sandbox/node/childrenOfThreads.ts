/**
 * Child processes do not end with the thread that started them, and a loop in one would go on for ever. So threads tell the
 * main one of their children, which ends those of a thread that is gone.
 */
import type { ChildProcess } from "node:child_process";

// Not an import, and not before it is asked for: bundles for the browser have what starts worker threads in them.
const threads = () => process.getBuiltinModule("node:worker_threads");

/** What a thread says of a child. */
interface ChildNews {
  readonly thread: number;
  readonly pid: number;
  readonly isAlive: boolean;
}

const CHANNEL = "rlkit-sandboxes";

const openChannel = () => {
  const channel = new (threads().BroadcastChannel)(CHANNEL);
  channel.unref();
  return channel;
};

let channel: ReturnType<typeof openChannel> | null = null;
const own = new Set<ChildProcess>();
/** In the main thread: the children of others. */
const children = new Map<number, Set<number>>();

/** Sees to it that a child of this thread ends with it. */
export function watchChild(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined) return;
  if (own.size === 0) process.once("exit", endOwn);
  own.add(child);
  tell(pid, true);
  child.once("exit", () => {
    own.delete(child);
    if (own.size === 0) process.removeListener("exit", endOwn);
    tell(pid, false);
  });
}

function endOwn(): void {
  for (const child of own) child.kill("SIGKILL");
}

function tell(pid: number, isAlive: boolean): void {
  if (threads().isMainThread) return;
  channel ??= openChannel();
  const news: ChildNews = { thread: threads().threadId, pid, isAlive };
  channel.postMessage(news);
}

/** Listens, in the main thread, to what threads that are started from now on say of their children. */
export function watchThreads(): void {
  if (channel) return;
  channel = openChannel();
  channel.onmessage = (event) => {
    // Only this module sends on the channel, within this process.
    const { thread, pid, isAlive } = (event as { readonly data: ChildNews }).data;
    const pids = children.get(thread) ?? new Set();
    if (isAlive) pids.add(pid);
    else pids.delete(pid);
    children.set(thread, pids);
  };
}

/** Ends the children of a thread that is gone. */
export function endChildrenOf(thread: number): void {
  for (const pid of children.get(thread) ?? []) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  }
  children.delete(thread);
}
