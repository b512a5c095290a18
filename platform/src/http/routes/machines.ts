import { z } from "zod";
import { RESOURCE_IDS, RESOURCES } from "../../worker/resources.ts";
import { unableReason, workerSchema } from "../../worker/WorkerTable.ts";
import { type Route, route } from "../route.ts";
import type { Services } from "../Services.ts";

const resourceSchema = z.object({
  resource_id: z.string(),
  description: z.string(),
  workers: z.int(),
  cores: z.int(),
});

export const machineRoutes = ({ workers, runs, place }: Services): readonly Route[] => [
  route({
    method: "GET",
    path: "/api/cli/v1/resources/list",
    summary: "Resources that a run may request as resource_id.",
    scope: "read",
    reach: "open",
    answer: z.array(resourceSchema),
    handle: async () => {
      const all = await workers.list();
      return RESOURCE_IDS.map((resource_id) => {
        const able = all.filter((worker) => unableReason(worker, { resource_id, place }) === null);
        const cores = able.reduce((sum, worker) => sum + worker.cores, 0);
        return { resource_id, description: RESOURCES[resource_id].description, workers: able.length, cores };
      });
    },
  }),
  route({
    method: "GET",
    path: "/v1/workers",
    summary: "Workers with a recent heartbeat, each with its run if the key may access that.",
    scope: "read",
    reach: "project",
    answer: z.array(workerSchema),
    handle: async ({ key: { project } }) => {
      const all = await workers.list();
      if (project === null) return all;
      const own = new Set(
        (await runs.unended()).filter((run) => run.project === project).map(({ id }) => id),
      );
      return all.map((worker) => ({ ...worker, run: own.has(worker.run ?? "") ? worker.run : null }));
    },
  }),
];
