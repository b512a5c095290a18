import { z } from "zod";
import { sha256Schema } from "../../artifacts/ArtifactStore.ts";
import { uploadPath } from "../../datasets/DatasetTable.ts";
import { receive, receiving } from "../receive.ts";
import { type Route, route } from "../route.ts";
import { requireProject, type Services } from "../Services.ts";

/** Maximum size of a data set in bytes: a worker holds it in memory. */
const most = 1024 ** 3;

const upload = receiving(most);

export const datasetRoutes = (services: Services): readonly Route[] => [
  route({
    ...upload,
    path: "/v1/datasets/:sha256",
    summary:
      "Stores a data set (HDF5) under its SHA-256. Manifests name it by the `dataset_path` of the answer.",
    scope: "submit",
    params: z.strictObject({ sha256: sha256Schema }),
    query: z.strictObject({ project: z.string().optional() }),
    answer: upload.answer.extend({ dataset_path: z.string() }),
    handle: async ({ params: { sha256 }, query, key, body, request }) => {
      const { artifacts, datasets, submissions } = services;
      submissions.check(key.id, "submissions and uploads");
      const project = await requireProject(services, key, query.project ?? null);
      const file = artifacts.fileOf(sha256);
      const isKnown = await datasets.has(project, sha256);
      const stored = await receive({ file, sha256, most, mayKnow: isKnown, body, request });
      if (!isKnown) submissions.count(key.id);
      await datasets.add(project, stored);
      return { ...stored, dataset_path: uploadPath(sha256) };
    },
  }),
];
