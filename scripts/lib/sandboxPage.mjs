/**
 * sandbox.html and its script: a classic one, since a frame of no origin loads no other, with the program of its workers
 * in it as a text.
 */
import path from "node:path";
import { build } from "vite";
import { sandboxPolicy } from "../../src/cli/app/siteHeaders.ts";
import { root } from "./environment.mjs";

const PAGE = "sandbox.html";
const SCRIPT = "sandbox.js";

/** @param {string} script Address of the script, as the page names it. */
const pageWith = (script) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${sandboxPolicy}" />
    <title>Sandbox · rlkit</title>
  </head>
  <body>
    <script src="${script}"></script>
  </body>
</html>
`;

/**
 * Bundles a file as one classic script.
 *
 * @param {string} file Below src.
 * @param {Record<string, string>} define
 * @param {import("vite").PluginOption[]} plugins
 */
export async function classicScript(file, define, plugins) {
  const result = await build({
    root,
    configFile: false,
    logLevel: "error",
    publicDir: false,
    define,
    plugins,
    build: {
      write: false,
      target: "es2023",
      modulePreload: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input: path.join(root, "src", file),
        output: { format: "iife", codeSplitting: false },
        checks: { bundlerTimings: false },
      },
    },
  });
  const [bundle] = [result].flat();
  const chunk = bundle && "output" in bundle ? bundle.output[0] : undefined;
  if (chunk === undefined) throw new Error(`${file}: the bundler gave no script.`);
  return chunk.code;
}

/** @param {() => import("vite").PluginOption} [pluginOf] A plugin for each of the two bundles. */
async function sandboxScript(pluginOf = () => null) {
  const worker = await classicScript("sandbox/browser/sandbox.worker.ts", {}, [pluginOf()]);
  return classicScript("sandbox/browser/frame.ts", { SANDBOX_WORKER: JSON.stringify(worker) }, [pluginOf()]);
}

/**
 * Adds the sandbox's page to a site, and to a development server.
 *
 * @param {() => import("vite").PluginOption} [pluginOf] A plugin that sees what is bundled.
 * @returns {import("vite").Plugin}
 */
export const sandboxPage = (pluginOf) => ({
  name: "rlkit:sandbox-page",
  async generateBundle() {
    const script = this.emitFile({ type: "asset", name: SCRIPT, source: await sandboxScript(pluginOf) });
    const source = pageWith(`./${this.getFileName(script)}`);
    this.emitFile({ type: "asset", fileName: PAGE, source });
  },
  configureServer({ middlewares, config }) {
    /** @type {Promise<string> | null} */
    let bundled = null;
    const { base } = config;
    /** @param {string} type @param {string} body @param {import("node:http").ServerResponse} response */
    const send = (type, body, response) => {
      response.setHeader("Content-Type", `${type}; charset=utf-8`);
      response.end(body);
    };
    middlewares.use((request, response, next) => {
      if (request.url === `${base}${PAGE}`) return send("text/html", pageWith(`./${SCRIPT}`), response);
      if (request.url !== `${base}${SCRIPT}`) return next();
      bundled ??= sandboxScript(pluginOf);
      bundled.then((code) => send("text/javascript", code, response), next);
    });
  },
});
