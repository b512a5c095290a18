/** The platform's HTTP API. */

import type { IncomingMessage } from "node:http";
import type { Server } from "node:https";
import type { AddressInfo } from "node:net";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { parseSpec, SpecError } from "../../../src/manifests/index.ts";
import { isStorageError } from "../../../src/storage/index.ts";
import type { TlsFiles } from "../commands/options.ts";
import { isConnectionError } from "../database/Outages.ts";
import type { KeyStore } from "../keys/KeyStore.ts";
import type { PlayTable } from "../plays/PlayTable.ts";
import { servePlays } from "../plays/playPages.ts";
import { ConflictError } from "../runs/RunTable.ts";
import { ApiError, notFound } from "./ApiError.ts";
import { Authentication } from "./Authentication.ts";
import { openApi } from "./openApi.ts";
import { formFields, parseJson } from "./parseJson.ts";
import { type Route, SENT } from "./route.ts";

/** Seconds after which a client may retry while the database is unreachable. */
const AGAIN_S = 2;

const statusOf = (error: unknown): number | null =>
  error instanceof Error && "statusCode" in error && typeof error.statusCode === "number"
    ? error.statusCode
    : null;

/** Whether an error is a data error of the database: SQLSTATE class 22, such as a NUL in a text. */
const isDataError = (error: unknown): error is Error =>
  error instanceof Error && "code" in error && /^22\w{3}$/.test(String(error.code));

/** @returns null for an internal error, which is not shown to clients. */
function refusalOf(error: unknown): ApiError | null {
  if (error instanceof ApiError) return error;
  if (error instanceof ConflictError) return new ApiError(409, error.message);
  if (error instanceof SpecError) {
    const issues = error.issues.map(({ code, path, message }) => ({ code, path, message }));
    return new ApiError(422, error.message, { extras: { issues } });
  }
  if (isConnectionError(error))
    return new ApiError(503, "the database is unreachable; try again", {
      headers: { "Retry-After": `${AGAIN_S}` },
    });
  if (isStorageError(error, "full")) return new ApiError(507, "the platform's disk is full");
  if (isDataError(error))
    return new ApiError(400, `a text in the request cannot be stored (${error.message})`);
  const status = statusOf(error);
  if (status !== null && status < 500 && error instanceof Error) return new ApiError(status, error.message);
  return null;
}

interface ApiServerOptions {
  readonly keys: KeyStore;
  readonly routes: readonly Route[];
  /** Whether the database answers. */
  readonly isReady: () => Promise<boolean>;
  /** Returns the text of `/metrics`. */
  readonly metrics: () => Promise<string>;
  /** Pages that are served without a key. */
  readonly plays: PlayTable;
  /** Allowed CORS origins. Default: none. */
  readonly origins?: readonly string[];
  /** Number of proxies in front of the server, each of which adds to X-Forwarded-For (default: 0). */
  readonly trusted_proxies?: number;
  /** Certificate and key for TLS. Plain HTTP if absent or null. */
  readonly tls?: TlsFiles | null;
  readonly log: (message: string) => void;
  /** Current time in milliseconds, for rate limits. Default: the system clock. */
  readonly now?: () => number;
}

/** Default limit of a request body in bytes. */
const BODY_LIMIT = 256 * 1024;

/** Milliseconds for the rest of a request's body after its answer. */
const UNREAD_MS = 5000;

/** Seconds for which a browser may cache a preflight response. Chromium caps this at two hours. */
const PREFLIGHT_S = 7200;

const HEADERS = "Authorization, Content-Type, Idempotency-Key, Last-Event-ID";

export class ApiServer {
  readonly #options: ApiServerOptions;
  readonly #server: FastifyInstance<Server>;
  readonly #authentication: Authentication;

  constructor(options: ApiServerOptions) {
    const { keys, now, trusted_proxies = 0, tls = null } = options;
    this.#options = options;
    this.#authentication = new Authentication(keys, now);
    this.#server = Fastify({
      bodyLimit: BODY_LIMIT,
      // The address that the first of them saw; addresses further left are the client's own claims.
      trustProxy: (_, hop) => hop < trusted_proxies,
      forceCloseConnections: true,
      routerOptions: { maxParamLength: 300 },
      https: tls && { ...tls },
    });
    this.#readBodies();
    this.#allowOrigins();
    this.#answerErrors();
    this.#dropUnreadBodies();
    this.#serveOpenly();
    for (const route of options.routes) this.#serve(route);
  }

  /** Starts listening. @returns the port. @throws the system's error if it cannot listen. */
  async listen(host: string, port: number): Promise<number> {
    await this.#server.listen({ host, port });
    // A server that listens on a TCP port has an AddressInfo.
    return (this.#server.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    await this.#server.close();
  }

  #readBodies(): void {
    const server = this.#server;
    server.removeAllContentTypeParsers();
    server.addContentTypeParser(
      "application/json",
      { parseAs: "string" },
      async (_: FastifyRequest, text: string) => (text === "" ? undefined : parseJson(text)),
    );
    // Passed on as a stream, as it may be large.
    server.addContentTypeParser(
      "application/octet-stream",
      async (_: FastifyRequest, stream: IncomingMessage) => stream,
    );
    server.addContentTypeParser(
      "multipart/form-data",
      { parseAs: "buffer" },
      async (request: FastifyRequest, bytes: Buffer) =>
        formFields(bytes, request.headers["content-type"] ?? ""),
    );
  }

  /** Sets the CORS headers for allowed origins, and answers preflight requests. */
  #allowOrigins(): void {
    const { origins = [] } = this.#options;
    this.#server.addHook("onRequest", async (request, reply) => {
      const { origin } = request.headers;
      if (origin === undefined || !origins.includes(origin)) return;
      reply.headers({
        "Access-Control-Allow-Origin": origin,
        "Access-Control-Allow-Headers": HEADERS,
        "Access-Control-Allow-Methods": "GET, POST, DELETE",
        "Access-Control-Expose-Headers": "Retry-After",
        "Access-Control-Max-Age": `${PREFLIGHT_S}`,
        Vary: "Origin",
      });
      if (request.method === "OPTIONS") await reply.code(204).send();
    });
  }

  #answerErrors(): void {
    this.#server.setErrorHandler(async (error, request, reply) => {
      await this.#refuse(error, request, reply);
    });
    this.#server.setNotFoundHandler(async (request, reply) => {
      await this.#refuse(notFound(`${request.method} ${request.url.split("?")[0]}`), request, reply);
    });
  }

  /**
   * Ends the connection of a request that was answered before its body was read, such as one without a key. The
   * client gets some time to send the rest, because most clients read the answer only after that.
   */
  #dropUnreadBodies(): void {
    this.#server.addHook("onResponse", async ({ raw }) => {
      if (raw.complete) return;
      const late = setTimeout(() => raw.socket.destroy(), UNREAD_MS).unref();
      raw.once("close", () => clearTimeout(late));
      raw.resume();
    });
  }

  async #refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const refusal = refusalOf(error);
    if (!refusal) {
      const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.#options.log(`${request.method} ${request.routeOptions.url ?? ""}: ${reason}`);
      await reply.code(500).send({ ok: false, message: "the platform failed; see its log" });
      return;
    }
    const { status, message, extras, headers } = refusal;
    await reply
      .code(status)
      .headers(headers)
      .send({ ok: false, message, ...extras });
  }

  /** Serves the paths that need no key. */
  #serveOpenly(): void {
    const { isReady, metrics, plays, routes } = this.#options;
    const server = this.#server;
    server.get("/healthz", async () => ({ ok: true }));
    server.get("/readyz", async (_, reply) => {
      const ok = await isReady();
      return reply.code(ok ? 200 : 503).send({ ok });
    });
    server.get("/metrics", async (_, reply) => reply.type("text/plain; version=0.0.4").send(await metrics()));
    servePlays(server, plays);
    const description = openApi(routes);
    server.get("/openapi.json", async () => description);
  }

  #serve(route: Route): void {
    const { method, path: url, bodyLimit = BODY_LIMIT } = route;
    const callers = new WeakMap<FastifyRequest, Awaited<ReturnType<Authentication["require"]>>>();
    this.#server.route({
      method,
      url,
      bodyLimit,
      // Runs before the body is read: only a caller with a key may send one.
      onRequest: async (request) => {
        callers.set(request, await this.#authentication.require(request, route));
      },
      handler: async (request, reply) => {
        const key = callers.get(request);
        if (!key) throw new Error("a request was served before it was authenticated");
        const { params, query, body } = request;
        const data = await route.serve({ params, query, body, key, request, reply }, parseSpec);
        if (data !== SENT) await reply.send({ ok: true, data: data ?? null });
      },
    });
  }
}
