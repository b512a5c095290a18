import { z } from "zod";
import { scopeSchema } from "../../keys/apiKey.ts";
import { type Route, route } from "../route.ts";

export const userRoutes = (): readonly Route[] => [
  route({
    method: "GET",
    path: "/api/users/current",
    summary: "The API key of the caller.",
    scope: null,
    reach: "open",
    answer: z.object({
      id: z.string(),
      name: z.string(),
      scopes: z.array(scopeSchema),
      project: z.string().nullable(),
    }),
    handle: async ({ key: { id, name, scopes, project } }) => ({ id, name, scopes, project }),
  }),
  route({
    method: "GET",
    path: "/api/users/credits",
    summary: "Remaining credits. A self-hosted platform has no credits and no limit.",
    scope: "read",
    reach: "open",
    answer: z.object({ credits: z.null(), unlimited: z.literal(true) }),
    handle: async () => ({ credits: null, unlimited: true }),
  }),
];
