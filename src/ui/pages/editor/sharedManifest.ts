/** A manifest in a link: its text, deflated and encoded as base64url. */
import { strFromU8, strToU8 } from "fflate";
import { messageOf } from "../../lib/format.ts";
import { packBytes, unpackBytes } from "../../lib/packedBytes.ts";
import { formatRoute } from "../../routes/route.ts";
import { unreadableManifest } from "./document/ManifestDocument.ts";
import { exportManifest } from "./exportManifest.ts";

/** A manifest is expected to have a few kilobytes. */
const LIMITS = { letters: 60_000, bytes: 200_000 };

/** Encodes a manifest as a part of a link; {@link readSharedManifest} decodes it. */
export const sharedManifest = (text: string): string => packBytes(strToU8(text));

/**
 * Decodes the manifest's text in a link. The editor shows errors within the manifest at their lines, as for
 * any text.
 *
 * @throws Error with a full sentence if the link holds no manifest
 */
export function readSharedManifest(letters: string): string {
  const refuse = (reason: string): Error =>
    new Error(
      `The manifest in this link cannot be read: ${reason}. Ask for a new link, or for the manifest as a file.`,
    );
  let bytes: Uint8Array;
  try {
    bytes = unpackBytes(letters, LIMITS);
  } catch (error) {
    throw refuse(messageOf(error));
  }
  const text = strFromU8(bytes);
  const reason = unreadableManifest(text);
  if (reason !== null) throw refuse(reason);
  return text;
}

/** The URL hash that opens the editor with a manifest. @throws SpecError if the manifest is not valid */
export const manifestLink = (manifest: unknown): string =>
  formatRoute({
    page: "editor",
    source: { kind: "spec", text: sharedManifest(exportManifest(manifest, "yaml").text) },
    format: "yaml",
  });
