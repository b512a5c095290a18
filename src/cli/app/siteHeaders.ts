/**
 * What a page, a worker or a script of the workbench may load and do. Scripts come from the site itself, and modules of
 * WebAssembly may be compiled; styles are inline because charts and editor set them. Nothing that the workbench needs is
 * fetched: it is imported. The coordinator's worker alone has servers to tell: those that a run's options name.
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
 * Headers of every answer of a server of the workbench. Only they reach workers, whose policy comes with their script,
 * and only they can forbid others to frame the page.
 */
export const siteHeaders: Readonly<Record<string, string>> = {
  "Content-Security-Policy": [...policyWith("http: https:"), "frame-ancestors 'none'"].join("; "),
  "X-Frame-Options": "DENY",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
};

/** The headers as the file `_headers` that several static hosts read. */
export const headersFile = (): string =>
  ["/*", ...Object.entries(siteHeaders).map(([name, value]) => `  ${name}: ${value}`), ""].join("\n");
