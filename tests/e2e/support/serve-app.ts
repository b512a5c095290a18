import { existsSync } from "node:fs";
import path from "node:path";
import { type Plugin, preview } from "vite";
import { root } from "../../../scripts/lib/environment.mjs";
import { headersOf } from "../../../src/cli/app/siteHeaders.ts";

/** The built workbench on a free port of this machine, as a static host would serve it. */
export interface ServedApp {
  /** The address of its first page, ending in a slash. */
  readonly url: string;
  close(): Promise<void>;
}

/** Sends the headers that each of the site's addresses has. */
const sending = (base: string): Plugin => ({
  name: "headers",
  configurePreviewServer: ({ middlewares }) => {
    middlewares.use(({ url = "" }, response, next) => {
      const path = `/${url.slice(base.length)}`.replace(/[?#].*$/, "");
      for (const [name, value] of Object.entries(headersOf(path))) response.setHeader(name, value);
      next();
    });
  },
});

/**
 * Serves dist/app.
 *
 * @param options.path where the site lies on its host; the built app must work under any
 * @param options.headers whether the host sends the workbench's headers, as the project's own server does; default true
 * @throws Error when dist/app is not built
 */
export async function serveApp({
  path: base = "/",
  headers = true,
}: {
  path?: `/${string}/` | "/";
  headers?: boolean;
} = {}): Promise<ServedApp> {
  const page = path.join(root, "dist/app/index.html");
  if (!existsSync(page))
    throw new Error(`${page} is missing; run "npm run build" before the end-to-end tests.`);
  const server = await preview({
    root,
    base,
    // Compiling the build's configuration takes longer than all that a server needs of it, which stands here.
    configFile: false,
    appType: "mpa",
    build: { outDir: "dist/app" },
    logLevel: "error",
    preview: { host: "127.0.0.1", port: 0, open: false },
    plugins: [headers ? sending(base) : null],
  });
  const address = server.httpServer.address();
  if (address === null || typeof address === "string") throw new Error("The static server has no port.");
  return { url: `http://127.0.0.1:${address.port}${base}`, close: () => server.close() };
}
