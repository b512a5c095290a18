interface NodeProcess {
  readonly getBuiltinModule?: (name: "node:os") => { readonly totalmem: () => number } | undefined;
  readonly constrainedMemory?: () => number;
}

/** Bytes of memory that this machine has for the process; null in browsers, which tell too little. */
export function machineMemory(): number | null {
  const { process } = globalThis as { readonly process?: NodeProcess };
  const total = process?.getBuiltinModule?.("node:os")?.totalmem();
  if (total === undefined) return null;
  // What a container allows; 0, or more than there is, where it allows all.
  const allowed = process?.constrainedMemory?.() ?? 0;
  return allowed > 0 ? Math.min(total, allowed) : total;
}
