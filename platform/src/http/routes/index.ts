/** All routes that need a key. */
import type { Route } from "../route.ts";
import type { Services } from "../Services.ts";
import { artifactRoutes } from "./artifacts.ts";
import { datasetRoutes } from "./datasets.ts";
import { environmentRoutes } from "./environments.ts";
import { experimentRoutes } from "./experiments.ts";
import { machineRoutes } from "./machines.ts";
import { playRoutes } from "./plays.ts";
import { projectRoutes } from "./projects.ts";
import { runRoutes } from "./runs.ts";
import { submitRoutes } from "./submit.ts";
import { userRoutes } from "./users.ts";

export const allRoutes = (services: Services): readonly Route[] => [
  ...userRoutes(),
  ...environmentRoutes(),
  ...datasetRoutes(services),
  ...submitRoutes(services),
  ...experimentRoutes(services),
  ...machineRoutes(services),
  ...projectRoutes(services),
  ...runRoutes(services),
  ...artifactRoutes(services),
  ...playRoutes(services),
];
