/** A small static server: the files of one directory, and nothing else. */
import { readFile, realpath } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, sep } from "node:path";

export interface ServedDirectory {
  readonly port: number;
  close(): Promise<void>;
}

export interface ServingOptions {
  readonly host: string;
  /** 0 takes any free one. */
  readonly port: number;
  /** Sent with the answer at a path, such as "/index.html". */
  readonly headersOf: (path: string) => Readonly<Record<string, string>>;
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

/** A name with a hash of its contents in it, as the build gives them, stands for the same bytes for ever. */
const HASHED = /^\/assets\/[^/]+-[\w-]{8}\.\w+$/;

/**
 * Serves a directory's files over HTTP, its `index.html` at `/`; listens once it resolves.
 *
 * @throws Error of the system when the host or port cannot be listened at (`code` "EADDRINUSE" and others).
 */
export async function serveDirectory(directory: string, options: ServingOptions): Promise<ServedDirectory> {
  const root = await realpath(directory);
  const server = createServer((request, response) => {
    const headers = options.headersOf(pathOf(request.url ?? "") ?? "");
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    answer(root, request, response).catch(() => refuse(response, 500, "The file cannot be read."));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, resolve);
  });
  return {
    // A server that listens at a port has an address with one.
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(root: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== "GET" && request.method !== "HEAD") {
    response.setHeader("Allow", "GET, HEAD");
    return refuse(response, 405, "Files are only read here.");
  }
  const path = pathOf(request.url ?? "");
  const file = path === null ? null : await fileAt(root, path);
  if (path === null || file === null) return refuse(response, 404, "There is no such file.");
  const bytes = await readFile(file).catch(() => null);
  if (bytes === null) return refuse(response, 404, "There is no such file.");
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

/** The path that an address names, starting with `/`; null for one that no file here can have. */
function pathOf(url: string): string | null {
  let path: string;
  try {
    path = decodeURIComponent(url.split(/[?#]/, 1)[0] ?? "");
  } catch {
    return null;
  }
  // Neither ".." nor hidden files, nor what Windows takes for a separator, a drive or a stream.
  if (!path.startsWith("/") || /[\\:\0]|\/\./.test(path)) return null;
  return path === "/" ? "/index.html" : path;
}

/** The file itself, which lies below the root; a link that leads out of it is none. */
async function fileAt(root: string, path: string): Promise<string | null> {
  const file = await realpath(join(root, path)).catch(() => null);
  return file?.startsWith(root + sep) ? file : null;
}
