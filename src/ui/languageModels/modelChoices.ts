import { TEXT_MODELS, trainsOnText } from "../../specs/sections.ts";
import type { ChatSettings } from "../../workers/pages.ts";
import { manifestNumber, manifestValue } from "../lib/manifestValues.ts";
import type { ChatChoices } from "./Chat.tsx";

/** Base models to talk to, by their paths in manifests: those that this browser stores, and built-in ones. */
export const modelChoices = (stored: readonly string[]): ChatChoices => ({
  title: "Models",
  choices: [...stored, ...TEXT_MODELS].map((path) => ({
    key: `model ${path}`,
    label: path,
    open: async () => {
      const { manifestForModel } = await import("./modelManifest.ts");
      return { key: `model ${path}`, manifest: manifestForModel(path), member: null };
    },
  })),
});

/** The sampling settings of a run's algorithm; without a run, usual ones. */
export function samplingOf(manifest: unknown): ChatSettings {
  const given = (name: string): number | null => manifestNumber(manifest, `algorithm.${name}`);
  return {
    // Algorithms that learn from rows do not sample.
    temperature: given("temperature") ?? (manifest === null ? 0.7 : 0),
    top_k: given("top_k") ?? 0,
    top_p: given("top_p") ?? 1,
    min_p: given("min_p") ?? 0,
    repetition_penalty: given("repetition_penalty") ?? 1,
    max_output_tokens: given("max_output_tokens") ?? 128,
    seed: 0,
  };
}

/** Whether a manifest's language models learn from rows of a data set, or are rewarded by them. */
export const readsRows = (manifest: unknown): boolean =>
  trainsOnText(manifest) &&
  ["dataset", "dataset_path", "hf_dataset_id"].some(
    (key) => typeof manifestValue(manifest, `environment.${key}`) === "string",
  );
