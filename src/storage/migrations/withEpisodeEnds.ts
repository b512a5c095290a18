import { decodeSafetensors, encodeSafetensors } from "../safetensors.ts";
import { StorageError } from "../storageError.ts";

/** The files of a run's checkpoint, and its `run.json` as an object. */
export interface RunFiles {
  readonly run: Readonly<Record<string, unknown>>;
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/**
 * From version 1 to 2: rows of a replay buffer record where episodes end. Version 1 had only single-step
 * returns, which do not use this. So its termination flag stands for both kinds of end.
 */
export function withEpisodeEnds({ run, files }: RunFiles, path: string): RunFiles {
  const upgraded = [...files].map(([name, bytes]): [string, Uint8Array] => {
    if (!/^replay_\d+\.safetensors$/.test(name)) return [name, bytes];
    const { tensors, metadata } = decodeSafetensors(bytes, name);
    const done = tensors.get("done");
    if (!done) throw new StorageError("corrupt", path, `${name} has no field done; use an older checkpoint`);
    return [name, encodeSafetensors([...tensors, ["ended", done]], metadata)];
  });
  return { run: { ...run, version: 2 }, files: new Map(upgraded) };
}
