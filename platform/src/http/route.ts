/** A route of the API: its path, the schemas that validate its requests, and its description. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Scope } from "../keys/apiKey.ts";
import type { KeyRecord } from "../keys/KeyStore.ts";

/**
 * What a call can reach, which says what a key bound to a project may do: `open` facts that belong to no project;
 * `project`, the things of the key's project alone; `platform`, everything, which such a key may not.
 */
type Reach = "open" | "project" | "platform";

/** Returned by a route that sends its own response, which is not JSON. */
export const SENT = Symbol("sent");

export interface Call<P, Q, B> {
  /** Parameters of the path. */
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** The caller's key. */
  readonly key: KeyRecord;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

interface RouteDefinition<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> {
  readonly method: "GET" | "POST" | "DELETE" | "PUT";
  /** Path with `:name` for each parameter. */
  readonly path: string;
  readonly summary: string;
  /** Scope that the caller's key needs; null if any key will do. */
  readonly scope: Scope | null;
  readonly reach: Reach;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** Schema of `data` in the JSON response. Absent if the response is not JSON. */
  readonly answer?: z.ZodType;
  /** Media type of a response that is not JSON. */
  readonly answerType?: string;
  /** Maximum size of a request body in bytes. */
  readonly bodyLimit?: number;
  /** Handles a call. @returns the response data, or `SENT`. */
  readonly handle: (call: Call<z.output<P>, z.output<Q>, z.output<B>>) => Promise<unknown>;
}

/** A route with its generic types erased, for serving and describing it. */
export type Route = Omit<RouteDefinition<z.ZodType, z.ZodType, z.ZodType>, "handle" | "params" | "query"> & {
  readonly params: z.ZodType;
  readonly query: z.ZodType;
  /** @param call The unvalidated call. @throws SpecError if a part of it is invalid. */
  readonly serve: (call: Call<unknown, unknown, unknown>, parse: Parse) => Promise<unknown>;
};

/** Validates one part of a call. */
type Parse = <S extends z.ZodType>(schema: S, input: unknown, path: string) => z.output<S>;

const nothing = z.strictObject({});

export function route<
  P extends z.ZodType = typeof nothing,
  Q extends z.ZodType = typeof nothing,
  B extends z.ZodType = z.ZodUndefined,
>(definition: RouteDefinition<P, Q, B>): Route {
  const { handle, params = nothing, query = nothing, body, ...rest } = definition;
  return {
    ...rest,
    params,
    query,
    ...(body ? { body } : {}),
    serve: async (call, parse) =>
      handle({
        ...call,
        // If a schema is left out, its type parameter is that of the default schema, which accepts nothing.
        params: parse(params, call.params, "path") as z.output<P>,
        query: parse(query, call.query, "query") as z.output<Q>,
        body: (body ? parse(body, call.body, "body") : undefined) as z.output<B>,
      }),
  };
}
