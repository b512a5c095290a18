import { decodeRecording, type Recording } from "../../stage/recording.ts";

/** The environment of the recorded run. */
export const RECORDED_ENVIRONMENT = "rlkit/HalfCheetah-v0";

let loading: Promise<Recording> | null = null;

/** The recorded run, which is a part of the site. Loaded once; after a failure, the next call loads it again. */
export function loadRecording(): Promise<Recording> {
  loading ??= load().catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

async function load(): Promise<Recording> {
  const { recordedRun } = await import("./recordedRun.ts");
  const packed = Uint8Array.from(atob(recordedRun), (letter) => letter.charCodeAt(0));
  const inflated = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return decodeRecording(new Uint8Array(await new Response(inflated).arrayBuffer()));
}
