/** Runs the command line tool in this process, with files in memory. */
import { vi } from "vitest";
import type { CliIo } from "../../src/cli/CliIo.ts";
import { main } from "../../src/cli/main.ts";
import { type FileStore, memoryFileStore } from "../../src/storage/index.ts";

export interface CliResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliSetting {
  readonly store?: FileStore;
  /** Called with all of standard output so far. Returning true presses Ctrl-C, once. */
  readonly interrupt?: (stdout: string) => boolean;
  readonly lock?: CliIo["lock"];
}

export async function runCli(args: readonly string[], setting: CliSetting = {}): Promise<CliResult> {
  const { store = memoryFileStore(), interrupt, lock } = setting;
  let [stdout, stderr] = ["", ""];
  let handler: (() => void) | null = null;
  // The library's warnings go to the console, which writes to standard error.
  const warnings = vi.spyOn(console, "warn").mockImplementation((text: unknown) => {
    stderr += `${String(text)}\n`;
  });
  const code = await main(args, {
    store,
    ...(lock ? { lock } : {}),
    stdout: {
      write: (text) => {
        stdout += text;
        if (!handler || !interrupt?.(stdout)) return;
        const press = handler;
        handler = null;
        press();
      },
    },
    stderr: {
      write: (text) => {
        stderr += text;
      },
    },
    onInterrupt: (next) => {
      handler = next;
      return () => {
        handler = null;
      };
    },
  });
  warnings.mockRestore();
  return { code, stdout, stderr };
}

export interface CliEvent {
  readonly event: string;
  readonly [field: string]: unknown;
}

/** Parses the standard output of `--json`: every line is an object. */
export const eventsOf = (stdout: string): CliEvent[] =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as CliEvent);

/** A manifest as JSON: two small members that train briefly. `training` overrides that section. */
export function tinyManifest(training: object = {}, sections: object = {}): string {
  return JSON.stringify({
    algorithm: { name: "DQN", batch_size: 16, learn_step: 4 },
    environment: { name: "CartPole-v1", num_envs: 2 },
    training: { pop_size: 2, max_steps: 600, evo_steps: 200, learning_delay: 50, hpo: true, ...training },
    network: { latent_dim: 8, encoder_config: { hidden_size: [8] }, head_config: { hidden_size: [8] } },
    replay_buffer: { max_size: 1000 },
    ...sections,
  });
}

export const writeText = (store: FileStore, path: string, text: string): Promise<void> =>
  store.write(path, new TextEncoder().encode(text));

/** A store in memory with a tiny manifest as `m.json`. */
export async function storeWithManifest(
  manifest = tinyManifest(),
  store = memoryFileStore(),
): Promise<FileStore> {
  await writeText(store, "m.json", manifest);
  return store;
}
