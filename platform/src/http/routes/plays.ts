import { z } from "zod";
import { PLAY_ID } from "../../plays/PlayTable.ts";
import { playAddress } from "../../plays/playPages.ts";
import { notFound } from "../ApiError.ts";
import { type Route, route } from "../route.ts";
import type { Services } from "../Services.ts";

/** Maximum size of a play file, of its poster, and of a request with both, in bytes. */
const [MOST_HTML, MOST_POSTER] = [600_000, 600_000] as const;
const MOST_BODY = 2 * (MOST_HTML + MOST_POSTER);

/** The first bytes of every PNG. */
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

const poster = z
  .base64()
  .transform((text) => Buffer.from(text, "base64"))
  .refine((bytes) => bytes.length <= MOST_POSTER && bytes.subarray(0, PNG.length).equals(PNG), {
    message: `allowed a PNG of at most ${MOST_POSTER} bytes`,
  });

const body = z.strictObject({
  html: z
    .string()
    .refine((text) => Buffer.byteLength(text) <= MOST_HTML, {
      message: `allowed at most ${MOST_HTML} bytes`,
    })
    .refine((text) => /<head>/i.test(text) && text.includes('id="play"'), {
      message: "allowed a play file, as the workbench makes it",
    }),
  title: z.string().min(1).max(200),
  poster: poster.nullable().default(null),
});

export const playRoutes = ({ plays, submissions }: Services): readonly Route[] => [
  route({
    method: "POST",
    path: "/v1/plays",
    summary: "Stores a play file. Anyone with the `url` of the answer can open it, until it is deleted.",
    scope: "submit",
    // A play belongs to its key, and to no project.
    reach: "open",
    bodyLimit: MOST_BODY,
    body,
    answer: z.object({ id: z.string(), url: z.string() }),
    handle: async ({ body: play, key, request }) => {
      submissions.check(key.id, "submissions and uploads");
      submissions.count(key.id);
      const id = await plays.add(key.id, play);
      return { id, url: playAddress(request, id) };
    },
  }),
  route({
    method: "DELETE",
    path: "/v1/plays/:id",
    summary: "Deletes a play file that this key has stored.",
    scope: "submit",
    reach: "open",
    params: z.strictObject({ id: z.string().regex(PLAY_ID) }),
    answer: z.null(),
    handle: async ({ params: { id }, key }) => {
      if (!(await plays.remove(id, key.id))) throw notFound(`play "${id}"`);
      return null;
    },
  }),
];
