import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

/**
 * What the built page may load. Scripts come from the site itself, and modules of WebAssembly may be compiled;
 * styles are inline because charts and editor set them; data may come from any server that the person names.
 */
const contentSecurityPolicy = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self' blob:",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self' blob: https: http://localhost:* http://127.0.0.1:*",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** Adds the policy to the built page only: the development server needs an inline script of its own. */
const policyInPage: Plugin = {
  name: "rlkit:content-security-policy",
  apply: "build",
  transformIndexHtml: () => [
    {
      tag: "meta",
      attrs: { "http-equiv": "Content-Security-Policy", content: contentSecurityPolicy },
      injectTo: "head-prepend",
    },
    { tag: "meta", attrs: { name: "referrer", content: "no-referrer" }, injectTo: "head-prepend" },
  ],
};

export default defineConfig({
  // Relative addresses, so that the built site works under any path of any static host.
  base: "./",
  // A missing file is a 404, as on a static host, instead of the page again.
  appType: "mpa",
  plugins: [react(), policyInPage],
  worker: { format: "es" },
  build: {
    outDir: "dist/app",
    target: "es2023",
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
