/** Checks the reward module of a submission. The API process never runs it. */
import { z } from "zod";
import { TEXT_RUBRICS } from "../../../src/hosting/index.ts";
import type { TrainingManifest } from "../../../src/manifests/index.ts";
import { baseName } from "../../../src/storage/index.ts";
import { refuse } from "./ApiError.ts";

/** Maximum size in bytes. */
const MOST = 256 * 1024;

/** A file part of a form. In a JSON body it has only a name. */
export const rewardFileSchema = z.looseObject({ name: z.string() });

export interface RewardFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Why a run cannot use a reward module, or null if it can. */
function uselessReason({ environment }: TrainingManifest, name: string): string | null {
  switch (environment.env_type) {
    case "dataset":
      return "which learning from labelled rows does not use: leave it out";
    case "rollout": {
      const { rubric_file_path: path } = environment;
      if (path === null) return "but environment.entrypoint computes the rewards: leave it out";
      if (baseName(path) === name) return null;
      const other = TEXT_RUBRICS.some((name) => name === path) ? ", which is built in" : "";
      return `but environment.rubric_file_path is "${path}"${other}: name the module there, or leave it out`;
    }
    default:
      return "which reinforcement learning does not use: leave it out";
  }
}

/** @throws SpecError if the bytes are missing, too large or not UTF-8. */
function requireText(name: string, bytes: unknown): Uint8Array {
  if (!(bytes instanceof Uint8Array))
    return refuse("reward_file", `found ${name} without its bytes: send a form (multipart/form-data)`);
  if (bytes.length > MOST)
    refuse("reward_file", `found ${name} of ${bytes.length} bytes, allowed at most ${MOST}`);
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    refuse("reward_file", `found ${name}, which is not UTF-8: save it as UTF-8`);
  }
  return bytes;
}

/** @throws SpecError if the run cannot use a reward module, or the file is not a JavaScript module. */
export function requireReward(
  { name, bytes }: z.infer<typeof rewardFileSchema>,
  manifest: TrainingManifest,
): RewardFile {
  if (/\.py$/i.test(name))
    refuse(
      "reward_file",
      `found ${name}, which is Python; this platform does not run Python: give the path of a JavaScript module (.js, .mjs), or leave it out`,
    );
  const useless = uselessReason(manifest, name);
  if (useless !== null) refuse("reward_file", `found ${name}, ${useless}`);
  if (!/\.m?js$/.test(name)) refuse("reward_file", `found ${name}, allowed a JavaScript module (.js, .mjs)`);
  return { name, bytes: requireText(name, bytes) };
}
