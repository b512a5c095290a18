/**
 * What a page, a worker or a script of the workbench may load and do. Scripts come from the site itself, and modules of
 * WebAssembly may be compiled; styles are inline because charts and editor set them. Nothing that the workbench needs is
 * fetched: it is imported. Three workers alone speak with servers: the coordinator's, which tells those that a run's options
 * name, that of data sets, which asks a hub, and that of a training platform, whose address a person gives.
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

/** The policy as the page itself states it, for hosts that send no headers; a page obeys both, so it connects to nothing. */
export const pagePolicy = policyWith("'none'").join("; ");

/**
 * The policy of the page in which the sandboxes of people's own environments run: workers from a blob and modules from a
 * blob, and nothing else.
 */
export const sandboxPolicy = [
  "default-src 'none'",
  "script-src 'self' blob: 'wasm-unsafe-eval'",
  "worker-src blob:",
  "connect-src 'none'",
].join("; ");

const answers: Readonly<Record<string, string>> = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
};
const sitePolicy = policyWith("http: https:").join("; ");
const unframed = "frame-ancestors 'none'";

/** The page that plays an agent of a link and does nothing else: the one that other sites may frame. */
const EMBED_PATH = "/embed.html";

const pageHeaders = { "Content-Security-Policy": `${sitePolicy}; ${unframed}`, "X-Frame-Options": "DENY" };

/**
 * Headers of the answers of a server of the workbench. Only they reach workers, whose policy comes with their script,
 * and only they can forbid others to frame the page.
 */
export const siteHeaders: Readonly<Record<string, string>> = { ...pageHeaders, ...answers };

/** The page of the sandboxes: only the workbench may frame it, and whoever opens it by itself finds it sandboxed too. */
const SANDBOX_PATH = "/sandbox.html";

/** Policies of the pages that frames may show, by path. */
const FRAMED: Readonly<Record<string, string>> = {
  [EMBED_PATH]: sitePolicy,
  [SANDBOX_PATH]: `${sandboxPolicy}; sandbox allow-scripts; frame-ancestors 'self'`,
};

/** The headers of the answer at a path, such as "/index.html". */
export function headersOf(path: string): Readonly<Record<string, string>> {
  const policy = FRAMED[path];
  return policy === undefined ? siteHeaders : { "Content-Security-Policy": policy, ...answers };
}

/** Where the scripts of workers lie. */
const SCRIPTS = ["/assets/*", "/service-worker.js"];

/**
 * The headers as the file `_headers` that several static hosts read. They join what several rules say of an address, and
 * a browser obeys all of it: so each policy stands with the addresses that it is for, and no two meet.
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
