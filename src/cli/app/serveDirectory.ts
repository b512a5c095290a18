/** A minimal static file server for one directory, and the hosts that a server listens on. */
import { readFile, realpath } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, sep } from "node:path";

export interface ServedDirectory {
  readonly port: number;
  close(): Promise<void>;
}

/** A file of a directory, with what to say if it is missing; or another path of the same server. */
export type Place =
  | {
      readonly directory: string;
      readonly path: string;
      readonly missing?: string;
      /** Changes the text before it is sent. */
      readonly edit?: (text: string) => string;
    }
  | { readonly moved: string };

export interface ServingOptions {
  readonly host: string;
  /** 0 picks any free port. */
  readonly port: number;
  /** Headers of the response at a path, such as "/index.html". */
  readonly headersOf: (path: string) => Readonly<Record<string, string>>;
  /** Where the file of a path is. By default, in the served directory. */
  readonly placeOf?: (path: string) => Place;
}

const TEXT = "; charset=utf-8";
const TYPES: Readonly<Record<string, string>> = {
  ".css": `text/css${TEXT}`,
  ".html": `text/html${TEXT}`,
  ".ico": "image/x-icon",
  ".js": `text/javascript${TEXT}`,
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": `text/plain${TEXT}`,
  ".wasm": "application/wasm",
  ".woff2": "font/woff2",
};

/** File names that contain a content hash, as the build generates them. Their bytes never change. */
const HASHED = /^\/assets\/[^/]+-[\w-]{8}\.\w+$/;

/**
 * Serves a directory's files over HTTP, with its `index.html` at `/`. Resolves once the server listens.
 * @throws Error from Node when the server cannot listen on the host and port
 *   (`code` "EADDRINUSE" and others).
 */
export async function serveDirectory(directory: string, options: ServingOptions): Promise<ServedDirectory> {
  await realpath(directory);
  const { placeOf = (path) => ({ directory, path }) } = options;
  const server = createServer((request, response) => {
    const headers = options.headersOf(pathOf(request.url ?? "") ?? "");
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    answer(placeOf, request, response).catch(() => refuse(response, 500, "The file cannot be read."));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, resolve);
  });
  return {
    // The address of a server that listens on a TCP port is an `AddressInfo`.
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  placeOf: (path: string) => Place,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== "GET" && request.method !== "HEAD") {
    response.setHeader("Allow", "GET, HEAD");
    return refuse(response, 405, "Only GET and HEAD are allowed.");
  }
  const path = pathOf(request.url ?? "");
  const place = path === null ? null : placeOf(path);
  if (place !== null && "moved" in place) {
    response.writeHead(302, { Location: place.moved, "Cache-Control": "no-cache" });
    response.end();
    return;
  }
  const file = place === null ? null : await fileAt(place.directory, place.path);
  if (path === null || file === null)
    return refuse(response, 404, place?.missing ?? "There is no such file.");
  const stored = await readFile(file).catch(() => null);
  if (stored === null) return refuse(response, 404, "There is no such file.");
  const edit = place !== null && "edit" in place ? place.edit : undefined;
  const bytes = edit ? Buffer.from(edit(stored.toString())) : stored;
  response.writeHead(200, {
    "Content-Type": TYPES[extname(file)] ?? "application/octet-stream",
    "Content-Length": bytes.byteLength,
    "Cache-Control": HASHED.test(path) ? "public, max-age=31536000, immutable" : "no-cache",
  });
  response.end(request.method === "HEAD" ? undefined : bytes);
}

function refuse(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(status, { "Content-Type": `text/plain${TEXT}`, "Cache-Control": "no-cache" });
  response.end(`${message}\n`);
}

/** The path in a URL, starting with `/`; null for a path that no served file can have. */
function pathOf(url: string): string | null {
  let path: string;
  try {
    path = decodeURIComponent(url.split(/[?#]/, 1)[0] ?? "");
  } catch {
    return null;
  }
  // Rejects "..", hidden files, and what Windows treats as a separator, a drive or a stream.
  if (!path.startsWith("/") || /[\\:\0]|\/\./.test(path)) return null;
  return path === "/" ? "/index.html" : path;
}

/** The real path of a file below a directory; null if it is missing or if a link leads outside the directory. */
async function fileAt(directory: string, path: string): Promise<string | null> {
  const [root, file] = await Promise.all(
    [directory, join(directory, path)].map((place) => realpath(place).catch(() => null)),
  );
  return root && file?.startsWith(root + sep) ? file : null;
}

/** Whether only this machine can reach the host. */
export const isThisMachine = (host: string): boolean => /^(localhost|127(\.\d+){3}|::1)$/.test(host);

/** The host as written in a URL. An address that stands for all interfaces becomes `localhost`. */
export function shownHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}
