/**
 * Child processes that run sandboxes: with empty environment variables, limits on memory and, where Node and the system
 * support them, without files, processes, threads and a network.
 */
import { type ChildProcessWithoutNullStreams as Child, spawn } from "node:child_process";
import type { Socket } from "node:net";
import { packed, unpacked } from "../../rl/faces.ts";
import { SandboxLostError, type SandboxPort } from "../SandboxPort.ts";
import type { ChildProgram } from "./childProgram.ts";
import { watchChild } from "./childrenOfThreads.ts";
import { FrameReader, frameOf } from "./frames.ts";

/** Heap limit in MB. */
const HEAP_MB = 512;
/** Limit in MB on all memory of the process, including its buffers and Node itself. Linux enforces it. */
const DATA_MB = 1024;

/** Longest output of a module, in bytes. */
const MOST_OUTPUT = 1024 * 1024;

const FLAGS = [
  `--max-old-space-size=${HEAP_MB}`,
  "--experimental-vm-modules",
  "--disable-warning=ExperimentalWarning",
  // The flags below matter to code that reaches Node's own realm, which no code should.
  "--disallow-code-generation-from-strings",
  "--no-addons",
  // What a module rejects is the module's matter; Node would look at it to print it.
  "--unhandled-rejections=none",
];

/**
 * Starts a child process that can read only its own program files, write no files, and start no processes or threads.
 * @param wrapper A command that confines it further, with its arguments; none for none.
 * @throws SandboxLostError if it cannot start.
 */
export async function startChild(
  { entry, readable }: ChildProgram,
  wrapper: readonly string[],
): Promise<SandboxPort> {
  const node = [...wrapper, process.execPath, ...FLAGS, ...permissions(readable), entry];
  const [command = "", ...args] = process.platform === "linux" ? withDataLimit(node) : node;
  const child = spawn(command, args, {
    env: {},
    stdio: "pipe",
  });
  watchChild(child);
  const port = new ChildPort(child);
  await port.ready;
  return port;
}

class ChildPort implements SandboxPort {
  readonly #child: Child;
  readonly #reader = new FrameReader();
  #printed = 0;
  #hear: (message: unknown) => void = () => undefined;
  #onEnd: (reason: string) => void = () => undefined;
  /** Why it ended. */
  #ending: string | null = null;
  /** @throws SandboxLostError if the process ends before its first message. */
  readonly ready: Promise<void>;

  constructor(child: Child) {
    this.#child = child;
    this.ready = new Promise((resolve, reject) => {
      this.#hear = () => resolve();
      this.#onEnd = (reason) => reject(new SandboxLostError(`the sandbox could not be started: ${reason}`));
    });
    child.stdout.on("data", (chunk: Buffer) => this.#read(chunk));
    child.on("error", (error) => this.#ended(error.message));
    child.on("exit", (code, signal) => this.#ended(reasonOf(code, signal)));
    // Where one of these ends, so has the process, which says why.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on("error", () => undefined);
    child.stderr.on("data", (chunk: Buffer) => this.#print(chunk));
  }

  post(message: object): void {
    const frame = frameOf(packed(message));
    if (this.#ending !== null) return;
    this.#keepAlive(true);
    this.#child.stdin.write(frame);
  }

  listen(onMessage: (message: unknown) => void, onEnd: (reason: string) => void): void {
    [this.#hear, this.#onEnd] = [onMessage, onEnd];
    if (this.#ending !== null) onEnd(this.#ending);
  }

  end(): void {
    this.#onEnd = () => undefined;
    this.#ended("it was ended");
  }

  #read(chunk: Buffer): void {
    if (this.#ending !== null) return;
    try {
      for (const packet of this.#reader.read(chunk)) {
        this.#keepAlive(false);
        this.#hear(unpacked(packet));
      }
    } catch {
      this.#ended("one of its messages could not be read");
    }
  }

  /** Prints output, which must not mix with that of a command, without what a terminal would obey. */
  #print(chunk: Buffer): void {
    const left = MOST_OUTPUT - this.#printed;
    if (left <= 0) return;
    this.#printed += chunk.length;
    const text = chunk.subarray(0, left).toString();
    const end =
      chunk.length < left
        ? ""
        : "\nrlkit: a module printed a megabyte; the rest of its output is not shown\n";
    process.stderr.write(text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, " ") + end);
  }

  /** An idle sandbox does not keep this process alive. */
  #keepAlive(isBusy: boolean): void {
    // The pipes of a child process are sockets.
    const { stdin, stdout, stderr } = this.#child;
    for (const handle of [this.#child, stdin as Socket, stdout as Socket, stderr as Socket])
      if (isBusy) handle.ref();
      else handle.unref();
  }

  #ended(reason: string): void {
    if (this.#ending !== null) return;
    this.#ending = reason;
    this.#child.kill("SIGKILL");
    this.#onEnd(reason);
  }
}

/**
 * Buffers are outside Node's heap, so the heap limit does not count them. If the system refuses this limit,
 * a lower one already applies.
 */
const withDataLimit = (command: readonly string[]): string[] => [
  "/bin/sh",
  "-c",
  `ulimit -d ${DATA_MB * 1024} 2>/dev/null; exec "$0" "$@"`,
  ...command,
];

/** The permission flags that this Node has: no files but these, no processes, threads and, in newer versions, network. */
function permissions(readable: readonly string[]): string[] {
  const flags = process.allowedNodeEnvironmentFlags;
  const name = flags.has("--permission") ? "--permission" : "--experimental-permission";
  return [
    name,
    ...(flags.has("--disable-sigusr1") ? ["--disable-sigusr1"] : []),
    ...readable.map((place) => `--allow-fs-read=${place}${place.endsWith(".json") ? "" : "/*"}`),
  ];
}

/** When out of memory, Node ends by SIGABRT or with exit code 134. */
const reasonOf = (code: number | null, signal: string | null): string =>
  signal === "SIGABRT" || code === 134
    ? `its process ran out of memory (limit: ${HEAP_MB} MB)`
    : `its process ended with ${signal === null ? `exit code ${code}` : signal}`;
