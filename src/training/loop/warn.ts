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
