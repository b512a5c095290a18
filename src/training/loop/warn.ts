import type { TrainingEvent } from "../../tracking/observer.ts";

const seen = new Set<string>();

/** Logs a warning to the console. */
export function warn(message: string): void {
  console.warn(`rlkit: ${message}`);
}

/** Logs a warning at most once per process. */
export function warnOnce(message: string): void {
  if (seen.has(message)) return;
  seen.add(message);
  warn(message);
}

/** Logs the latest completions before training failed, at error level. */
export function logLastWords(event: TrainingEvent): void {
  if (event.event !== "completions") return;
  const lines = event.records.map(
    ({ reward, prompt, completion }) =>
      `${reward}  ${JSON.stringify(prompt)} -> ${JSON.stringify(completion)}`,
  );
  console.error(["rlkit: training failed; the latest completions:", ...lines].join("\n"));
}
