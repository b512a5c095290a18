/** What anyone with a short link gets: the page, with a preview for those who show links, and its poster. */

import type { Server } from "node:https";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Play, PlayTable } from "./PlayTable.ts";

/** The page may run what is in it. It has no origin of its own, and loads nothing. */
const policy =
  "sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox; default-src 'none'; " +
  "script-src 'unsafe-inline' 'wasm-unsafe-eval'; style-src 'unsafe-inline'; img-src data:";

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (letter) => ENTITIES[letter] ?? "");

/** The address of a play, as a caller of this server reaches it. */
export const playAddress = ({ protocol, host }: FastifyRequest, id: string): string =>
  `${protocol}://${host}/p/${id}`;

function withPreview({ html, title, poster }: Play, address: string): string {
  const facts: readonly (readonly [name: string, content: string])[] = [
    ["og:type", "website"],
    ["og:title", title],
    ["og:description", "A reinforcement-learning agent at play, in the page itself."],
    ["og:url", address],
    ...(poster ? ([["og:image", `${address}/poster.png`]] as const) : []),
  ];
  const tags = facts.map(([name, content]) => `<meta property="${name}" content="${escaped(content)}">`);
  const card = `<meta name="twitter:card" content="${poster ? "summary_large_image" : "summary"}">`;
  // The file has a preview of its own, without the picture and the address.
  return html
    .replaceAll(/<meta property="og:[^>]*>\n?/g, "")
    .replace(/<head>/i, (head) => `${head}\n${tags.join("\n")}\n${card}`);
}

const GONE =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>No agent here</title><p>The agent of this link was deleted, or the link is incomplete. Ask for a new one.</p></html>';

/** Serves plays by their ids, without a key. */
export function servePlays(server: FastifyInstance<Server>, plays: PlayTable): void {
  type Asked = FastifyRequest<{ Params: { id: string } }>;
  const gone = (reply: FastifyReply): FastifyReply => reply.code(404).type("text/html").send(GONE);
  server.get("/p/:id", async (request: Asked, reply) => {
    const { id } = request.params;
    const play = await plays.find(id);
    reply.headers({ "Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff" });
    return play === null
      ? gone(reply)
      : reply.type("text/html; charset=utf-8").send(withPreview(play, playAddress(request, id)));
  });
  server.get("/p/:id/poster.png", async (request: Asked, reply) => {
    const poster = (await plays.find(request.params.id))?.poster;
    if (!poster) return gone(reply);
    return reply.headers({ "X-Content-Type-Options": "nosniff" }).type("image/png").send(poster);
  });
}
