/**
 * The documentation site: the pages of docs and the API reference, with navigation and search. `npm run site` builds it. RLKIT_SITE_BASE is the path
 * below which it is served (default: "/").
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { defineConfig } from "vitepress";
import { apiLinks } from "./apiLinks.ts";
import { diagrams } from "./diagrams.ts";
import { equations } from "./equations.ts";
import { liveRuns } from "./liveRuns.ts";
import { marks } from "./marks.ts";
import { pageDescription } from "./pageDescription.ts";
import { repositoryLinks } from "./repositoryLinks.ts";
import { searchedPage } from "./searchedPage.ts";
import { searchWords } from "./searchWords.ts";
import { sidebar } from "./sidebar.ts";
import { sitePages } from "./sitePages.ts";
import { tables } from "./tables.ts";

/** The workbench's icon, without a request. */
const icon = `data:image/svg+xml;base64,${readFileSync(new URL("../../public/favicon.svg", import.meta.url)).toString("base64")}`;

const base = process.env.RLKIT_SITE_BASE ?? "/";

const { folder, addresses } = sitePages();

/** Folders whose pages may have the title of another page. */
const PARTS = new Map([
  ["api", "API"],
  ["architecture", "inside"],
  ["decisions", "decision"],
]);

/** What tells the title of such a page from the others. */
function titlesBelow(file: string): { titleTemplate?: string } {
  const part = PARTS.get(file.split("/", 1)[0] ?? "");
  return part === undefined ? {} : { titleTemplate: `:title (${part}) | rlkit` };
}

export default defineConfig({
  title: "rlkit",
  description:
    "Populations of reinforcement-learning agents and language-model adapters, evolved while they learn.",
  base,
  head: [["link", { rel: "icon", href: icon }]],
  srcDir: path.relative("site", folder),
  // Texts have tags of chat templates and types in angle brackets, and no HTML.
  markdown: {
    html: false,
    config: (markdown) => {
      marks(markdown);
      repositoryLinks(markdown);
      apiLinks(markdown, addresses);
      equations(markdown);
      diagrams(markdown);
      tables(markdown);
      liveRuns(markdown);
    },
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
  },
  outDir: "../dist/site",
  cacheDir: "../.cache/vitepress",
  // A folder's README is its page on GitHub, and its index here.
  rewrites: { "README.md": "index.md", ":folder/README.md": ":folder/index.md" },
  // The workbench is copied into the built site.
  ignoreDeadLinks: [/^\/app\//],
  transformPageData: ({ filePath, title, description }) => ({
    description: description || pageDescription(path.join(folder, filePath), title),
    ...titlesBelow(filePath),
  }),
  themeConfig: {
    nav: [
      { text: "Start", link: "/" },
      { text: "Algorithms", link: "/algorithms/" },
      { text: "Environments", link: "/environments/" },
      { text: "API", link: "/api/" },
      { text: "Results", link: "/results" },
      { text: "Workbench", link: "/app/index.html", target: "_self" },
    ],
    sidebar,
    outline: { level: [2, 3] },
    search: {
      provider: "local",
      options: {
        _render: searchedPage,
        miniSearch: { options: { tokenize: searchWords } },
      },
    },
  },
});
