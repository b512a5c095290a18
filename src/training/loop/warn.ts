import type { TrainingEvent } from "./observer.ts";

const seen = new Set<string>();

/** A warning on the console. */
export function warn(message: string): void {
  console.warn(`rlkit: ${message}`);
}

/** A warning that is given once in the life of the process. */
export function warnOnce(message: string): void {
  if (seen.has(message)) return;
  seen.add(message);
  warn(message);
}

/** What members wrote last before training failed, at error level. */
export function logLastWords(event: TrainingEvent): void {
  if (event.event !== "completions") return;
  const lines = event.records.map(
    ({ reward, prompt, completion }) =>
      `${reward}  ${JSON.stringify(prompt)} -> ${JSON.stringify(completion)}`,
  );
  console.error(["rlkit: training failed; the latest completions:", ...lines].join("\n"));
}
