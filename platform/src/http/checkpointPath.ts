/** URL path of a checkpoint's zip file. */
export const checkpointPath = (run: string, generation: number): string =>
  `/v1/runs/${run}/checkpoints/${checkpointName(generation)}.zip`;

export const checkpointName = (generation: number): string => `generation_${generation}`;

/** The generation in a checkpoint's file name, or null if it is not such a name. */
export function generationOf(file: string): number | null {
  const digits = /^generation_(\d{1,9})\.zip$/.exec(file)?.[1];
  return digits === undefined ? null : Number(digits);
}
