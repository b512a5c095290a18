import { hasStages, type RawManifest } from "../../../manifests/index.ts";
import { MOST_SEEDS, type StartOptions } from "../../../workers/protocol.ts";
import type { Connection } from "../../client/Connection.ts";
import { remoteCalls, useRemotePlatform } from "../../state/remotePlatform.ts";
import { useEditor } from "./editorStore.ts";
import { valueAt } from "./form/formNodes.ts";
import { type RunChoices, trackerAddress } from "./RunOptions.tsx";

/** The default name of a run: `training.name` of its manifest, or else its algorithm and environment. */
export function defaultRunName(values: unknown): string {
  const label = valueAt(values, ["training", "name"]);
  if (typeof label === "string" && label !== "") return label;
  const parts = [valueAt(values, ["algorithm", "name"]), valueAt(values, ["environment", "name"])];
  return parts.filter((part) => typeof part === "string" && part !== "").join(" ") || "Run";
}

/** The values of the editor's manifest. @throws Error if it has problems. */
export function validValues(): RawManifest {
  const { shown, valid, remarks } = useEditor.getState();
  if (valid) return shown.values;
  const count = remarks.filter(({ level }) => level === "error").length;
  throw new Error(
    `The manifest has ${count === 1 ? "a problem" : `${count} problems`}. The list of problems gives the lines.`,
  );
}

/** The number of seeds to train with. @throws Error if it is not valid */
export function repeatsOf({ seeds }: RunChoices): number {
  const count = Number(seeds.trim() || "1");
  if (count > 1 && hasStages(useEditor.getState().shown.values))
    throw new Error("Repeats: a manifest with stages trains once; leave this field empty.");
  if (Number.isInteger(count) && count >= 1 && count <= MOST_SEEDS) return count;
  throw new Error(`Repeats: found "${seeds}"; it must be a whole number from 1 to ${MOST_SEEDS}, or empty.`);
}

/** The options that all runs of a start have in common. */
export function startOptions({ device, name, tracker }: RunChoices): StartOptions {
  const chosen = name.trim();
  const { service } = tracker;
  return {
    device,
    ...(chosen !== "" && { name: chosen }),
    ...(service !== "" && {
      tracker: { service, address: trackerAddress(tracker), key: tracker.key.trim() },
    }),
  };
}

/**
 * Starts a run of the editor's manifest.
 *
 * @returns the run's id
 * @throws Error if the manifest has problems or the seed is not valid
 */
export async function startRun(coordinator: Connection["coordinator"], choices: RunChoices): Promise<string> {
  const values = validValues();
  const seed = choices.seed.trim();
  if (seed !== "" && !/^\d{1,15}$/.test(seed)) {
    throw new Error(`seed: found "${seed}"; it must be a whole number from 0 to 999999999999999, or empty.`);
  }
  return coordinator.start(values, {
    name: defaultRunName(values),
    ...startOptions(choices),
    ...(seed !== "" && { seed: Number(seed) }),
  });
}

/**
 * Submits the editor's manifest to the connected platform.
 *
 * @param machines Number of machines as the user typed it; empty lets the platform choose.
 * @returns the run's id
 * @throws Error if the manifest has problems or an option is not supported by a platform
 */
export async function submitRun(
  { name, seed, seeds, device, tracker }: RunChoices,
  machines: string,
): Promise<string> {
  const manifest = validValues();
  if (seed.trim() !== "")
    throw new Error(
      `seed: found "${seed.trim()}", but a platform reads the seed from training.seed; set it there and leave this field empty.`,
    );
  if (seeds.trim() !== "")
    throw new Error(
      `Repeats: found "${seeds.trim()}", but a platform trains one run of a manifest; leave this field empty.`,
    );
  if (device === "webgpu")
    throw new Error("device: found WebGPU, but a platform trains on CPUs; choose Auto or WebAssembly.");
  if (tracker.service !== "")
    throw new Error(
      `tracker: found ${tracker.service}, but trackers are not supported for remote runs; choose None.`,
    );
  const count = machines.trim();
  if (count !== "" && !/^[1-9]\d{0,3}$/.test(count))
    throw new Error(`Machines: found "${count}"; it must be a whole number from 1 to 9999, or empty.`);
  return remoteCalls().submit({
    manifest,
    project: useRemotePlatform.getState().project,
    name: name.trim() || null,
    num_nodes: count === "" ? null : Number(count),
  });
}
