/** One path of the platform, with all that is checked before it is served and all that is said of it. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { KeyRecord } from "../keys/KeyStore.ts";
import type { Scope } from "../keys/scopes.ts";

/** An answer that is no JSON: the route has sent it, or is sending it. */
export const SENT = Symbol("sent");

export interface Call<P, Q, B> {
  /** Parts of the path. */
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** The caller's. */
  readonly key: KeyRecord;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

export interface RouteDefinition<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> {
  readonly method: "GET" | "POST" | "DELETE" | "PUT";
  /** With `:name` for a part that varies. */
  readonly path: string;
  readonly summary: string;
  /** What the caller's key must allow. */
  readonly scope: Scope;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** What it answers in the envelope's `data`; left out where it answers no JSON. */
  readonly answer?: z.ZodType;
  /** Type of an answer that is no JSON. */
  readonly answerType?: string;
  /** Largest body in bytes. */
  readonly bodyLimit?: number;
  /** Does the work. @returns the data, or `SENT`. */
  readonly handle: (call: Call<z.output<P>, z.output<Q>, z.output<B>>) => Promise<unknown>;
}

/** A route whose own types are forgotten: what is served, and described. */
export type Route = Omit<RouteDefinition<z.ZodType, z.ZodType, z.ZodType>, "handle" | "params" | "query"> & {
  readonly params: z.ZodType;
  readonly query: z.ZodType;
  /** @param call Its parts as they came. @throws SpecError for parts that are not right. */
  readonly serve: (call: Call<unknown, unknown, unknown>, parse: Parse) => Promise<unknown>;
};

/** Checks one part of a call. */
export type Parse = <S extends z.ZodType>(schema: S, input: unknown, path: string) => z.output<S>;

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
        // Left out, the type is that of the default, which takes nothing.
        params: parse(params, call.params, "path") as z.output<P>,
        query: parse(query, call.query, "query") as z.output<Q>,
        body: (body ? parse(body, call.body, "body") : undefined) as z.output<B>,
      }),
  };
}
