import { z } from "zod";
import { projectSchema } from "../../projects/ProjectTable.ts";
import { ApiError, notFound } from "../ApiError.ts";
import { nameSchema } from "../names.ts";
import { type Route, route } from "../route.ts";
import type { Services } from "../Services.ts";

const answerSchema = projectSchema.extend({ type: z.enum(["reinforcement_learning", "language_model"]) });

const answerOf = (project: z.infer<typeof projectSchema>): z.infer<typeof answerSchema> => ({
  ...project,
  type: project.llm_based ? "language_model" : "reinforcement_learning",
});

/** @throws ApiError 403 if the key is bound to one project. */
function requireUnbound(project: string | null): void {
  if (project !== null) throw new ApiError(403, `api_key: it is bound to the project "${project}"`);
}

export const projectRoutes = ({ projects }: Services): readonly Route[] => [
  route({
    method: "GET",
    path: "/api/cli/v1/projects",
    summary: "The projects that the key may access.",
    scope: "read",
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
    body: z.strictObject({
      name: nameSchema,
      description: z.string().max(2000).default(""),
      llm_based: z.boolean().default(false),
    }),
    answer: answerSchema,
    handle: async ({ body, key }) => {
      requireUnbound(key.project);
      return answerOf(await projects.create(body));
    },
  }),
  route({
    method: "DELETE",
    path: "/api/cli/v1/projects/delete",
    summary: "Deletes a project that has no runs.",
    scope: "submit",
    body: z.strictObject({ name: z.string() }),
    answer: z.object({ name: z.string() }),
    handle: async ({ body: { name }, key }) => {
      requireUnbound(key.project);
      if (!(await projects.delete(name))) throw notFound(`project "${name}"`);
      return { name };
    },
  }),
];
