/** The kinds of files that this browser can make of a run. */
import type { FilmOrder } from "../../../../stage/stageProtocol.ts";

type FilmKind = "mp4" | "gif" | "poster";

/** A kind of file, and what it will be. */
export interface FilmChoice {
  readonly kind: FilmKind;
  readonly label: string;
  /** Null for a poster. */
  readonly format: FilmOrder["format"] | null;
  /** MIME type. */
  readonly type: string;
  readonly ending: string;
}

/** Codecs of MP4 files of the largest shape, in the order of how many players know them, with their names. */
const CODECS = [
  ["avc1.640028", "H.264"],
  ["avc1.420028", "H.264"],
  ["vp09.00.40.08", "VP9"],
  ["av01.0.08M.08", "AV1"],
] as const;

/** Pixels and pictures a second that an encoder must be able to take. */
const VIDEO = { width: 1080, height: 1920, framerate: 20 } as const;

/** Whether this browser's encoder takes a codec. */
async function encodes(codec: string): Promise<boolean> {
  if (!("VideoEncoder" in globalThis)) return false;
  try {
    return (await VideoEncoder.isConfigSupported({ codec, ...VIDEO })).supported === true;
  } catch {
    return false;
  }
}

const GIF: FilmChoice = {
  kind: "gif",
  label: "Film: GIF",
  format: { kind: "gif" },
  type: "image/gif",
  ending: "gif",
};

const POSTER: FilmChoice = {
  kind: "poster",
  label: "Poster: PNG of the family tree and the champion",
  format: null,
  type: "image/png",
  ending: "png",
};

/**
 * What can be made, the best kind first; none where no canvas can be drawn in a worker.
 * @param canEncode whether the browser encodes a codec
 */
export async function filmChoices(
  canEncode: (codec: string) => Promise<boolean> = encodes,
): Promise<readonly FilmChoice[]> {
  if (!("OffscreenCanvas" in globalThis)) return [];
  for (const [codec, name] of CODECS) {
    if (!(await canEncode(codec))) continue;
    const format = { kind: "mp4", codec } as const;
    const mp4 = {
      kind: "mp4",
      label: `Film: MP4, ${name}`,
      format,
      type: "video/mp4",
      ending: "mp4",
    } as const;
    return [mp4, GIF, POSTER];
  }
  return [GIF, POSTER];
}
