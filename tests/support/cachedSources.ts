/**
 * Has browsers keep the modules of a run of tests. Vite's server asks them to check each module again, and every worker
 * that a test starts loads hundreds.
 */
import type { Plugin } from "vite";

/** For browsers: to be kept, and never asked for again. */
export const FOREVER = "max-age=31536000,immutable";

export const cachedSources = (): Plugin => ({
  name: "rlkit-cached-sources",
  configureServer({ middlewares, config }) {
    // Somebody may edit them while tests are watched.
    if (config.server.watch !== null) return;
    middlewares.use((request, response, next) => {
      if (/^\/(?:src|tests)\//.test(request.url ?? "")) {
        const set = response.setHeader.bind(response);
        response.setHeader = (name, value) =>
          set(name, name.toLowerCase() === "cache-control" ? FOREVER : value);
      }
      next();
    });
  },
});
