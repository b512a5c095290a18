/** The documentation beside the workbench: `npm start` builds it into dist/docs, after the workbench has opened. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Place } from "./serveDirectory.ts";
import { DOCS_PATH } from "./siteHeaders.ts";

const NOT_BUILT =
  "The documentation is not built here. In a clone, npm start builds it in about a minute; reload this page then.";

/** The workbench's page, which links to the documentation at an address relative to its own. */
const withHelp = (page: string, address: string): string =>
  page.replace("</head>", `<link rel="help" href="${address}" /></head>`);

/**
 * Where the files of the workbench's server are.
 * @param app Directory of the built workbench. The documentation is in `docs` beside it.
 */
export const placesOf =
  (app: string) =>
  (path: string): Place => {
    if (`${path}/` === DOCS_PATH) return { moved: DOCS_PATH };
    const docs = join(app, "../docs");
    if (path === "/index.html" && existsSync(docs))
      return { directory: app, path, edit: (page) => withHelp(page, `.${DOCS_PATH}`) };
    if (!path.startsWith(DOCS_PATH)) return { directory: app, path };
    const below = path.slice(DOCS_PATH.length - 1);
    // Its pages have the workbench below their own address, as on a static host.
    // Two slashes would begin another host's name.
    if (/^\/app\/(?!\/)/.test(below)) return { moved: encodeURI(below.slice("/app".length)) };
    return {
      directory: docs,
      path: below.endsWith("/") ? `${below}index.html` : below,
      missing: NOT_BUILT,
    };
  };
