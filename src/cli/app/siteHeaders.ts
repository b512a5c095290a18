/**
 * What a page, a worker or a script of the workbench may load and do. Scripts come from the site itself, and
 * WebAssembly modules may be compiled. Inline styles are allowed because charts and the editor set them. The
 * workbench fetches none of its own files: it imports them. Only three workers connect to servers. The
 * coordinator connects to the trackers that a run's options name, the data set worker to a hub, and the
 * remote worker to the user's training platform.
 */
const policyWith = (connect: string): string[] => [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  `connect-src ${connect}`,
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
];

/**
 * The policy in the page's own HTML, for hosts that send no headers. A page obeys both policies, so it
 * connects to nothing.
 */
export const pagePolicy = policyWith("'none'").join("; ");

/**
 * The policy of the page that runs the sandboxes of user environments. It allows the site's scripts, and
 * workers and modules from blobs.
 */
export const sandboxPolicy = [
  "default-src 'none'",
  "script-src 'self' blob: 'wasm-unsafe-eval'",
  "worker-src blob:",
  "connect-src 'none'",
].join("; ");

const answers: Readonly<Record<string, string>> = {
  // The sandbox's page has no origin, so that its script is another origin's; other sites may frame embed.html.
  "Cross-Origin-Resource-Policy": "cross-origin",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  // With the page's opener policy, this lets the workers of a page share memory, and with it the base of a language model.
  // Under "require-corp", a platform that refuses the page would look like one that does not answer.
  "Cross-Origin-Embedder-Policy": "credentialless",
};
const sitePolicy = policyWith("http: https:").join("; ");
const unframed = "frame-ancestors 'none'";

/** The page that only plays an agent from a link. It is the one page that other sites may frame. */
const EMBED_PATH = "/embed.html";

const pageHeaders = {
  "Content-Security-Policy": `${sitePolicy}; ${unframed}`,
  "X-Frame-Options": "DENY",
  "Cross-Origin-Opener-Policy": "same-origin",
};

/**
 * Headers of the workbench server's responses. Workers take their policy only from the headers of their
 * script, and only headers can forbid framing.
 */
export const siteHeaders: Readonly<Record<string, string>> = { ...pageHeaders, ...answers };

/** The page that trains the runs of its link. Only pages of the same site may frame it. */
const LIVE_PATH = "/live.html";

/** The page of the sandboxes. Only the workbench may frame it; opened directly, it is sandboxed too. */
const SANDBOX_PATH = "/sandbox.html";

/** Policies of the pages that may be framed, by path. */
const FRAMED: Readonly<Record<string, string>> = {
  [EMBED_PATH]: sitePolicy,
  [LIVE_PATH]: `${sitePolicy}; frame-ancestors 'self'`,
  [SANDBOX_PATH]: `${sandboxPolicy}; sandbox allow-scripts; frame-ancestors 'self'`,
};

/** Where `rlkit ui` serves the documentation. */
export const DOCS_PATH = "/docs/";

/** Its pages choose their theme by a script within them, search their own index, and frame live.html. */
const docsHeaders = {
  ...answers,
  "Content-Security-Policy":
    "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

/** The headers of the response at a path, such as "/index.html". */
export function headersOf(path: string): Readonly<Record<string, string>> {
  if (path.startsWith(DOCS_PATH)) return docsHeaders;
  const policy = FRAMED[path];
  return policy === undefined ? siteHeaders : { "Content-Security-Policy": policy, ...answers };
}

/** Paths that worker scripts are served from. */
const SCRIPTS = ["/assets/*", "/service-worker.js"];

/**
 * The headers as a `_headers` file, which several static hosts read. A host merges all rules that match a
 * URL, and a browser enforces every policy it receives. So no URL matches two rules with a policy.
 */
export function headersFile(): string {
  const rule = (path: string, headers: Readonly<Record<string, string>>): string[] => [
    path,
    ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`),
  ];
  const policyAt = (path: string, policy: string) => rule(path, { "Content-Security-Policy": policy });
  const rules = [
    rule("/*", answers),
    rule("/", pageHeaders),
    rule("/index.html", pageHeaders),
    ...SCRIPTS.map((path) => policyAt(path, sitePolicy)),
    ...Object.entries(FRAMED).map(([path, policy]) => policyAt(path, policy)),
  ];
  return [...rules.flat(), ""].join("\n");
}
