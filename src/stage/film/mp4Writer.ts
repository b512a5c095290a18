import { ArrayBufferTarget, Muxer } from "mp4-muxer";
import type { FilmSize, FilmWriter } from "./FilmWriter.ts";

/** Bits a second: 30 s are at most 6 MB. */
const BITRATE = 1_600_000;
/** Seconds from one picture that needs no others to the next, so that players can seek. */
const KEY = 3;
/** Pictures that wait for the encoder at most. */
const QUEUE = 6;

const US = 1_000_000;

/** The name of a codec in MP4 files, by the beginning of its string. */
function mp4Codec(codec: string): "avc" | "vp9" | "av1" {
  if (codec.startsWith("avc1")) return "avc";
  return codec.startsWith("vp09") ? "vp9" : "av1";
}

/** Writes an MP4 file. @param codec for WebCodecs, such as "avc1.64001f" */
export function mp4Writer(codec: string, { width, height, rate }: FilmSize): FilmWriter {
  const target = new ArrayBufferTarget();
  const muxer = new Muxer({
    target,
    video: { codec: mp4Codec(codec), width, height, frameRate: rate },
    fastStart: "in-memory",
  });
  let fail: (error: Error) => void = () => undefined;
  const failure = new Promise<never>((_, reject) => {
    fail = reject;
  });
  // It may come while nothing waits for it.
  failure.catch(() => undefined);
  const encoder = new VideoEncoder({
    output: (chunk, about) => muxer.addVideoChunk(chunk, about),
    error: ({ message }) =>
      fail(new Error(`The video could not be encoded: ${message}. Choose another format.`)),
  });
  encoder.configure({ codec, width, height, framerate: rate, bitrate: BITRATE });
  let count = 0;
  return {
    async add(canvas) {
      const frame = new VideoFrame(canvas, { timestamp: (count * US) / rate, duration: US / rate });
      encoder.encode(frame, { keyFrame: count % (KEY * rate) === 0 });
      frame.close();
      count += 1;
      while (encoder.encodeQueueSize > QUEUE) {
        const taken = new Promise((resolve) => encoder.addEventListener("dequeue", resolve, { once: true }));
        await Promise.race([taken, failure]);
      }
    },
    async finish() {
      await Promise.race([encoder.flush(), failure]);
      encoder.close();
      muxer.finalize();
      return new Uint8Array(target.buffer);
    },
  };
}
