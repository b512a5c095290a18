import { z } from "zod";
import { projectSchema } from "../../projects/ProjectTable.ts";
import { notFound } from "../ApiError.ts";
import { nameSchema } from "../parseJson.ts";
import { type Route, route } from "../route.ts";
import type { Services } from "../Services.ts";

const answerSchema = projectSchema.extend({ type: z.enum(["reinforcement_learning", "language_model"]) });

const answerOf = (project: z.infer<typeof projectSchema>): z.infer<typeof answerSchema> => ({
  ...project,
  type: project.llm_based ? "language_model" : "reinforcement_learning",
});

export const projectRoutes = ({ projects }: Services): readonly Route[] => [
  route({
    method: "GET",
    path: "/api/cli/v1/projects",
    summary: "The projects that the key may access.",
    scope: "read",
    reach: "project",
    answer: z.array(answerSchema),
    handle: async ({ key }) =>
      (await projects.list())
        .filter(({ name }) => key.project === null || key.project === name)
        .map(answerOf),
  }),
  route({
    method: "POST",
    path: "/api/cli/v1/projects/create",
    summary: "Creates a project.",
    scope: "submit",
    reach: "platform",
    body: z.strictObject({
      name: nameSchema,
      description: z.string().max(2000).default(""),
      llm_based: z.boolean().default(false),
    }),
    answer: answerSchema,
    handle: async ({ body }) => answerOf(await projects.create(body)),
  }),
  route({
    method: "DELETE",
    path: "/api/cli/v1/projects/delete",
    summary: "Deletes a project that has no runs.",
    scope: "submit",
    reach: "platform",
    body: z.strictObject({ name: z.string() }),
    answer: z.object({ name: z.string() }),
    handle: async ({ body: { name } }) => {
      if (!(await projects.delete(name))) throw notFound(`project "${name}"`);
      return { name };
    },
  }),
];
