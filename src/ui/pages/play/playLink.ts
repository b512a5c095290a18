/** A policy in a link: whoever opens it sees the agent play, without any storage. */
import type { AgentFile } from "../../../workers/protocol.ts";
import { messageOf } from "../../lib/messageOf.ts";
import { packBytes, unpackBytes } from "../../lib/packedBytes.ts";
import { formatRoute } from "../../routes/route.ts";

/** Letters of a policy in a link, and bytes that it may hold when it is inflated. */
const LIMITS = { letters: 64 * 1024, bytes: 1_000_000 };

/**
 * The address of a page on which an agent plays.
 * @throws Error in a sentence where the policy is too large for a link.
 */
export async function playLink({ bytes, ...place }: AgentFile): Promise<string> {
  // Files of agents are read only where somebody shares or opens one.
  const [{ decodeKeptAgent }, { packPolicy }] = await Promise.all([
    import("../../../training/files/keptAgent.ts"),
    import("../../../stage/packedPolicy.ts"),
  ]);
  const { environment, env_config, generation, fitness } = place;
  const { agent } = decodeKeptAgent(bytes);
  const text = packBytes(packPolicy({ agent, environment, env_config, generation, fitness }));
  if (text.length > LIMITS.letters) {
    const [found, allowed] = [text.length, LIMITS.letters].map((letters) => Math.ceil(letters / 1024));
    throw new Error(
      `This policy takes ${found} kB in a link, and ${allowed} kB are allowed; download the elite and send it as a file.`,
    );
  }
  return new URL(formatRoute({ page: "play", agent: text }), window.location.href).href;
}

/**
 * The agent in a link.
 * @throws Error in a sentence for a link that holds none.
 */
export async function readPlayLink(text: string): Promise<AgentFile> {
  const [{ encodeAgent }, { unpackPolicy }] = await Promise.all([
    import("../../../training/files/agentFile.ts"),
    import("../../../stage/packedPolicy.ts"),
  ]);
  try {
    const { agent, ...place } = unpackPolicy(unpackBytes(text, LIMITS));
    return { bytes: new Uint8Array(encodeAgent(agent)), index: agent.index, module: null, ...place };
  } catch (error) {
    throw new Error(`This link's agent cannot be read: ${messageOf(error)}. Ask for the link again.`, {
      cause: error,
    });
  }
}
