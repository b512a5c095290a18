import type { InferenceSession } from "onnxruntime-web/wasm";
import type { OnnxProvider } from "./runtime.ts";
import type { ProviderMemory } from "./StateBuffer.ts";

/** How sessions of a provider are made. */
export function sessionOptions(
  provider: OnnxProvider,
  _memory: ProviderMemory,
): InferenceSession.SessionOptions {
  if (provider === "cpu") return { executionProviders: ["wasm"] };
  throw new Error("");
}
