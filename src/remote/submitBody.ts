/** The request that submits a job, with its reward module as a part of the form data. */
import { defaultStore, isStorageError } from "../storage/files.ts";
import { baseName } from "../storage/index.ts";
import { warn } from "../tracking/clients.ts";
import { RemoteFileNotFoundError } from "./errors/RemoteError.ts";
import type { RewardFile } from "./submission.ts";

const MOST_BYTES = 256 * 1024;
const DEFAULT_NAME = "reward.py";

/**
 * @returns the file under its name ("reward.py" for bytes), without checking its content.
 * @throws RemoteFileNotFoundError if the path does not exist; RangeError for more than 256 KiB; StorageError
 *   for a file that cannot be read.
 */
async function rewardPart(reward_file: RewardFile): Promise<File> {
  const isPath = typeof reward_file === "string";
  const bytes = isPath ? await readFileOf("reward_file", reward_file) : reward_file;
  if (bytes.length > MOST_BYTES)
    throw new RangeError(`reward_file: found ${bytes.length} bytes, allowed at most ${MOST_BYTES}`);
  const name = isPath ? baseName(reward_file.replaceAll("\\", "/")) : DEFAULT_NAME;
  const type = /\.[cm]?js$/i.test(name) ? "text/javascript" : "text/x-python";
  return new File([new Uint8Array(bytes)], name, { type });
}

/** Reads a file to send. @param option Name in messages. @throws RemoteFileNotFoundError; StorageError. */
export async function readFileOf(option: string, path: string): Promise<Uint8Array> {
  const store = await defaultStore();
  try {
    return await store.read(path);
  } catch (error) {
    if (!isStorageError(error, "not_found")) throw error;
    const message = `${option}: found no file at ${path}; check the path, or give its bytes`;
    throw new RemoteFileNotFoundError(message, { cause: error });
  }
}

/** Fields of a submission. */
interface Submission {
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly resource_id: string | number | null;
  readonly num_nodes: number | null;
  readonly project: string | null;
  readonly experiment_name: string | null;
}

/**
 * The request body. Without a reward file: JSON, including nulls. With one: form data
 * with text parts, without nulls.
 * @throws as `rewardPart`.
 */
export async function submitBody(
  submission: Submission,
  reward_file: RewardFile | null,
  completion: string | null,
): Promise<object> {
  if (reward_file === null) {
    if (completion !== null) warn("completion is given without reward_file: it is not sent");
    return submission;
  }
  const form = new FormData();
  const { manifest, ...fields } = submission;
  form.set("manifest", JSON.stringify(manifest));
  for (const [name, value] of Object.entries({ ...fields, completion }))
    if (value !== null) form.set(name, String(value));
  form.set("reward_file", await rewardPart(reward_file));
  return form;
}
