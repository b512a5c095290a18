/**
 * A child process outlives the thread that started it, so an endless loop in it would never stop. Therefore
 * threads report their children to the main thread, which ends the children of a thread that has ended.
 */
import type { ChildProcess } from "node:child_process";

// Loaded lazily and not by an import, because bundles for the browser include the
// code that starts worker threads.
const threads = () => process.getBuiltinModule("node:worker_threads");

/** A thread's report about a child. */
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
/** In the main thread: process ids of children by thread id. */
const children = new Map<number, Set<number>>();

/** Ensures that a child of this thread ends with the thread. */
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

let isIgnored = false;

/**
 * SIGUSR1 opens Node's inspector, which runs code with all rights of the process. Only the main thread can ignore it. The
 * listener stays: without it, the signal would end the process.
 */
export function ignoreInspectorSignal(): void {
  if (isIgnored || process.platform === "win32") return;
  isIgnored = true;
  process.on("SIGUSR1", () => undefined);
}

/** Starts listening, in the main thread, to reports from threads that are started from now on. */
export function watchThreads(): void {
  if (channel) return;
  ignoreInspectorSignal();
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

/** Ends the children of a thread that has ended. */
export function endChildrenOf(thread: number): void {
  for (const pid of children.get(thread) ?? []) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has already ended.
    }
  }
  children.delete(thread);
}
