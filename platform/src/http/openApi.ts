/** The platform's OpenAPI 3.1 description, generated from the schemas that validate requests. */
import { z } from "zod";
import { VERSION } from "../../../src/hosting/index.ts";
import type { Route } from "./route.ts";

type Json = Readonly<Record<string, unknown>>;

const schemaOf = (schema: z.ZodType, io: "input" | "output"): Json => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
};

const REFUSAL: Json = {
  description: "An error",
  content: {
    "application/json": {
      schema: {
        type: "object",
        properties: { ok: { const: false }, message: { type: "string" } },
        required: ["ok", "message"],
      },
    },
  },
};

function parameters(schema: z.ZodType, place: "path" | "query"): Json[] {
  const { properties = {}, required = [] } = z
    .looseObject({ properties: z.record(z.string(), z.unknown()), required: z.array(z.string()) })
    .partial()
    .parse(schemaOf(schema, "input"));
  return Object.entries(properties).map(([name, value]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    schema: value,
  }));
}

function answer({ answer: schema, answerType }: Route): Json {
  if (!schema) return { [answerType ?? "application/octet-stream"]: {} };
  return {
    "application/json": {
      schema: {
        type: "object",
        properties: { ok: { const: true }, data: schemaOf(schema, "output") },
        required: ["ok", "data"],
      },
    },
  };
}

export function openApi(routes: readonly Route[]): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes) {
    const { method, path, summary, scope, params, query, body } = route;
    const place = path.replaceAll(/:(\w+)/g, "{$1}");
    paths[place] = {
      ...paths[place],
      [method.toLowerCase()]: {
        summary,
        security: [{ key: [] }],
        "x-scope": scope,
        parameters: [...parameters(params, "path"), ...parameters(query, "query")],
        ...(body
          ? { requestBody: { content: { "application/json": { schema: schemaOf(body, "input") } } } }
          : {}),
        responses: { "200": { description: "Done", content: answer(route) }, default: REFUSAL },
      },
    };
  }
  return {
    openapi: "3.1.0",
    info: { title: "rlkit platform", version: VERSION },
    paths,
    components: { securitySchemes: { key: { type: "http", scheme: "bearer" } } },
  };
}
