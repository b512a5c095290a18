import { hasWasmSimd } from "../lib/capabilities.ts";

/** What this browser lacks for training, in a sentence; null if it lacks nothing. */
export function missingForTraining(): string | null {
  if (typeof Worker === "undefined")
    return "This browser cannot train here: it has no workers. Use a current version of Chrome, Edge, Firefox or Safari.";
  if (!hasWasmSimd())
    return "This browser cannot train: it has no WebAssembly SIMD. Use Chrome or Edge 91, Firefox 89, Safari 16.4, or later.";
  return null;
}
