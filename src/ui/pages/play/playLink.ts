/** A policy encoded in a link. Opening the link plays the agent; no storage is involved. */
import type { LinkAgent } from "../../../stage/stageProtocol.ts";
import type { AgentFile } from "../../../workers/protocol.ts";
import { messageOf } from "../../lib/format.ts";
import { packBytes, unpackBytes } from "../../lib/packedBytes.ts";
import { formatRoute } from "../../routes/route.ts";
import { askStage } from "../../stage/askStage.ts";
import { LINK_LIMITS } from "./linkLimits.ts";

type PackAgent = (agent: LinkAgent) => Promise<Uint8Array>;

/** Packs in a worker, which plays to find out how far weights can be rounded. */
const packOnStage: PackAgent = (agent) =>
  askStage(
    (sandboxes) => ({ kind: "pack", agent, sandboxes }),
    (message) => (message.kind === "packed" ? message.bytes : null),
    new AbortController().signal,
  );

/**
 * An agent as the text of a link.
 * @throws Error with a full sentence if the policy is too large for a link.
 */
export async function playText(file: AgentFile, pack: PackAgent = packOnStage): Promise<string> {
  const { bytes, environment, env_config, generation, fitness } = file;
  const text = packBytes(await pack({ bytes, environment, env_config, generation, fitness }));
  if (text.length > LINK_LIMITS.letters) {
    const [found, allowed] = [text.length, LINK_LIMITS.letters].map((letters) => Math.ceil(letters / 1024));
    throw new Error(
      `This policy needs ${found} kB in a link, but at most ${allowed} kB are allowed; download the elite and send it as a file.`,
    );
  }
  return text;
}

/** The URL of a page that plays an agent. @throws Error like {@link playText}. */
export const playLink = async (file: AgentFile, pack?: PackAgent): Promise<string> =>
  new URL(formatRoute({ page: "play", agent: await playText(file, pack) }), window.location.href).href;

/** Size of the frame in pixels: enough for the stage, its controls and the figures below it. */
const FRAME = { width: 640, height: 500 };

/**
 * HTML that shows the agent of a play link in another page.
 * @param title the frame's name for screen readers
 */
export function embedCode(link: string, title: string): string {
  const { hash } = new URL(link);
  const address = new URL(`embed.html${hash}`, link).href;
  const frame = document.createElement("iframe");
  frame.setAttribute("src", address);
  frame.setAttribute("title", title);
  for (const [name, pixels] of Object.entries(FRAME)) frame.setAttribute(name, String(pixels));
  frame.setAttribute("style", "border: 0; max-width: 100%");
  return frame.outerHTML;
}

/** An agent in a link. */
export interface LinkedAgent extends AgentFile {
  readonly algorithm: string;
}

/**
 * Decodes the agent in a link.
 * @throws Error with a full sentence if the link holds no agent.
 */
export async function readPlayLink(text: string): Promise<LinkedAgent> {
  const [{ encodeAgent }, { unpackPolicy }] = await Promise.all([
    import("../../../training/files.ts"),
    import("../../../stage/packedPolicy.ts"),
  ]);
  try {
    const { agent, ...place } = unpackPolicy(unpackBytes(text, LINK_LIMITS));
    const { index, algorithm } = agent;
    return { bytes: new Uint8Array(encodeAgent(agent)), index, algorithm, module: null, ...place };
  } catch (error) {
    throw new Error(`The agent in this link cannot be read: ${messageOf(error)}. Ask for a new link.`, {
      cause: error,
    });
  }
}
