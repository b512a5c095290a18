import { z } from "zod";
import { listEnvironments } from "../../../../src/agents/index.ts";
import { VERSION } from "../../../../src/hosting/index.ts";
import { type Route, route } from "../route.ts";

const versionSchema = z.object({ validated: z.boolean(), profiled: z.boolean() });

/** Environments are part of rlkit, so their only version is rlkit's. */
const versions = { [VERSION]: { validated: true, profiled: false } };

export const environmentRoutes = (): readonly Route[] => [
  route({
    method: "GET",
    path: "/api/cli/v1/environments",
    summary: "Environments by name, then by version.",
    scope: "read",
    reach: "open",
    query: z.strictObject({
      name: z.string().optional(),
      include_arena: z.enum(["true", "false"]).optional(),
    }),
    answer: z.record(z.string(), z.record(z.string(), versionSchema)),
    handle: async ({ query: { name } }) =>
      Object.fromEntries(
        listEnvironments()
          .filter((known) => name === undefined || known === name)
          .map((known) => [known, versions]),
      ),
  }),
  route({
    method: "GET",
    path: "/api/cli/v1/environments/exists",
    summary: "Whether an environment exists, optionally in a given version.",
    scope: "read",
    reach: "open",
    query: z.strictObject({ name: z.string(), version: z.string().optional() }),
    answer: z.object({ exists: z.boolean() }),
    handle: async ({ query: { name, version = VERSION } }) => ({
      exists: listEnvironments().includes(name) && version === VERSION,
    }),
  }),
];
