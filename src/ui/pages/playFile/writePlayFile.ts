/** A file that plays an agent without a network and without the workbench. */

import { isUserEnvironment } from "../../../specs/sections.ts";
import { sha256Hex } from "../../../storage/files.ts";
import type { AgentFile, Download } from "../../../workers/protocol.ts";
import { escaped } from "../../lib/escaped.ts";
import { isLocal } from "../../lib/localAddress.ts";
import { ownManifestLink } from "../editor/ownManifest.ts";
import { type LinkedAgent, playText, readPlayLink } from "../play/playLink.ts";
import { playStory } from "../play/playStory.ts";
import { DATA_PLACE, HEAD_PLACE, PLANCK_PLACE, writePlayData } from "./playData.ts";
import { playPlanck, playTemplate } from "./playTemplate.ts";

/** The title and the preview of an agent's file. A preview has no picture: none is read from the file itself. */
export function playHead(agent: LinkedAgent): string {
  const title = escaped(`${agent.algorithm} in ${agent.environment}`);
  const about = escaped(playStory(agent).join(" "));
  return `<title>${title} · rlkit</title>
<meta name="description" content="${about}">
<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${about}">`;
}

/**
 * The play file of an agent.
 * @throws Error with a full sentence for an agent whose environment does not fit into a file.
 */
export async function playFile(file: AgentFile): Promise<Download> {
  const { environment } = file;
  if (playTemplate === null)
    throw new Error("Play files are made by the built workbench only. Run npm start, and try again.");
  if (isUserEnvironment(environment))
    throw new Error(
      `A play file contains no code of users, and ${environment} is one. Share the run instead.`,
    );
  const { needsMujoco, needsPlanck } = await import("../../../rl/environments.ts");
  if (needsMujoco(environment))
    throw new Error(
      `A play file would need MuJoCo, which is too large for it. Use a play link for ${environment} instead.`,
    );
  const agent = await playText(file);
  const linked = await readPlayLink(agent);
  const own = ownManifestLink(linked);
  const train = own === null || isLocal(window.location) ? null : new URL(own, window.location.href).href;
  const html = playTemplate
    .replace(HEAD_PLACE, () => playHead(linked))
    .replace(PLANCK_PLACE, () => (needsPlanck(environment) ? playPlanck : ""))
    .replace(DATA_PLACE, () => writePlayData({ version: 1, agent, train }));
  const bytes = new TextEncoder().encode(html);
  const hash = (await sha256Hex(bytes)).slice(0, 8);
  return { name: `play-${hash}.html`, type: "text/html", bytes };
}
