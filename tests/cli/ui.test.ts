import { symlink, writeFile } from "node:fs/promises";
import { type IncomingHttpHeaders, request } from "node:http";
import { connect } from "node:net";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { placesOf } from "../../src/cli/app/documentation.ts";
import { type ServedDirectory, serveDirectory } from "../../src/cli/app/serveDirectory.ts";
import { headersFile, headersOf, pagePolicy } from "../../src/cli/app/siteHeaders.ts";
import { nodeFileStore } from "../../src/storage/node/index.ts";
import { withTemporaryDirectory } from "../storage/support/temporaryDirectory.ts";
import { runCli, writeText } from "./support.ts";

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Requests exactly this path: `fetch` would resolve its dots first. */
const ask = ({ port }: ServedDirectory, target: string, method = "GET"): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port, path: target, method }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (text: string) => {
        body += text;
      });
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
      );
    });
    asked.once("error", reject);
    asked.end();
  });

/** Runs `work` with a served site and a secret file next to it. */
const withSite = (work: (served: ServedDirectory, directory: string) => Promise<void>): Promise<void> =>
  withTemporaryDirectory(async (directory) => {
    const store = nodeFileStore(directory);
    await writeText(store, "secret.txt", "secret");
    await writeText(store, "site/index.html", "<!doctype html>");
    await writeText(store, "site/assets/index-Ch5ywdlk.js", "export {};");
    await writeText(store, "site/_headers", headersFile());
    const options = { host: "127.0.0.1", port: 0, headersOf };
    const served = await serveDirectory(path.join(directory, "site"), options);
    try {
      await work(served, directory);
    } finally {
      await served.close();
    }
  });

describe("the workbench's server", () => {
  it("gives each file its type, and lets only names with a hash be kept", () =>
    withSite(async (served, directory) => {
      const types = {
        "a.css": "text/css; charset=utf-8",
        "a.json": "application/json",
        "a.svg": "image/svg+xml",
        "a.txt": "text/plain; charset=utf-8",
        "a.unheard": "application/octet-stream",
        "a.wasm": "application/wasm",
      };
      for (const [name, type] of Object.entries(types)) {
        await writeFile(path.join(directory, "site", name), "x");
        expect((await ask(served, `/${name}?v=1`)).headers["content-type"]).toBe(type);
      }
      const page = await ask(served, "/");
      expect([page.status, page.body]).toEqual([200, "<!doctype html>"]);
      expect(page.headers).toMatchObject({
        "content-type": "text/html; charset=utf-8",
        "cache-control": "no-cache",
      });
      const script = await ask(served, "/assets/index-Ch5ywdlk.js", "HEAD");
      expect(script).toMatchObject({ status: 200, body: "" });
      expect(script.headers).toMatchObject({
        "content-type": "text/javascript; charset=utf-8",
        "cache-control": expect.stringContaining("immutable"),
        "content-length": "10",
      });
    }));

  it.each([
    "/../secret.txt",
    "/assets/../../secret.txt",
    "/%2e%2e/secret.txt",
    "/..%2fsecret.txt",
    "/..%5csecret.txt",
    "/assets/..\\..\\secret.txt",
    "//../secret.txt",
    "/.%2e/secret.txt",
    "/link.txt",
    "/.hidden",
    "/index.html%00.txt",
    "/%zz",
    "/assets",
    "/none.js",
    "http://127.0.0.1/../secret.txt",
  ])("has no file at %s", (target) =>
    withSite(async (served, directory) => {
      await symlink(path.join(directory, "secret.txt"), path.join(directory, "site/link.txt"));
      await writeFile(path.join(directory, "site/.hidden"), "secret");
      const { status, headers, body } = await ask(served, target);
      expect([status, body]).toEqual([404, "There is no such file.\n"]);
      expect(headers["x-content-type-options"]).toBe("nosniff");
    }),
  );

  it("only reads", () =>
    withSite(async (served) => {
      for (const method of ["POST", "PUT", "DELETE"])
        expect(await ask(served, "/", method)).toMatchObject({
          status: 405,
          headers: { allow: "GET, HEAD" },
        });
    }));

  it("ends while a connection is open", () =>
    withSite(async (served) => {
      const idle = connect(served.port, "127.0.0.1");
      await new Promise((resolve) => idle.once("connect", resolve));
      const closed = new Promise((resolve) => idle.once("close", resolve));
      await served.close();
      await closed;
      expect(idle.destroyed).toBe(true);
    }));

  it("serves the documentation beside the workbench once it is built, and has the workbench below it", () =>
    withSite(async (before, directory) => {
      await before.close();
      const app = path.join(directory, "site");
      const served = await serveDirectory(app, {
        host: "127.0.0.1",
        port: 0,
        headersOf,
        placeOf: placesOf(app),
      });
      try {
        expect((await ask(served, "/")).body).toBe("<!doctype html>");
        await writeText(nodeFileStore(directory), "site/index.html", "<head></head>");
        const early = await ask(served, "/docs/");
        expect([early.status, early.body]).toEqual([404, expect.stringContaining("npm start builds it")]);
        await writeText(nodeFileStore(directory), "docs/rl/index.html", "the docs");
        // From now on the workbench says where it is.
        expect((await ask(served, "/")).body).toBe('<head><link rel="help" href="./docs/" /></head>');
        const late = await ask(served, "/docs/rl/");
        expect([late.status, late.body]).toEqual([200, "the docs"]);
        expect(late.headers["content-security-policy"]).toContain("frame-ancestors 'none'");
        for (const [from, to] of Object.entries({
          "/docs": "/docs/",
          "/docs/app/live.html": "/live.html",
          "/docs/app/a%0d%0ab": "/a%0D%0Ab",
        }))
          expect(await ask(served, from)).toMatchObject({ status: 302, headers: { location: to } });
        for (const none of ["/docs/../secret.txt", "/docs/app//other.example", "/docs/%2e%2e/secret.txt"])
          expect((await ask(served, none)).status).toBe(404);
      } finally {
        await served.close();
      }
    }));

  it("sends with every answer what may be loaded, and that nobody may guess types or frame any page but the one for it", () =>
    withSite(async (served) => {
      for (const target of ["/", "/assets/index-Ch5ywdlk.js", "/none"]) {
        expect((await ask(served, target)).headers).toMatchObject({
          // This policy also covers workers, which connect to trackers' servers. The page's own policy
          // forbids connections.
          "content-security-policy": `${pagePolicy.replace("connect-src 'none'", "connect-src http: https:")}; frame-ancestors 'none'`,
          "x-frame-options": "DENY",
          "x-content-type-options": "nosniff",
          "referrer-policy": "no-referrer",
        });
      }
      expect(pagePolicy).toContain("connect-src 'none'");
      const sent = (await ask(served, "/embed.html")).headers;
      expect(sent["x-frame-options"]).toBeUndefined();
      expect(sent["content-security-policy"]).toContain("default-src 'self'");
      expect(sent["content-security-policy"]).not.toContain("frame-ancestors");
      expect(sent["x-content-type-options"]).toBe("nosniff");
      const sandbox = (await ask(served, "/sandbox.html")).headers;
      expect(sandbox["x-frame-options"]).toBeUndefined();
      for (const part of ["default-src 'none'; ", "sandbox allow-scripts", "frame-ancestors 'self'"])
        expect(sandbox["content-security-policy"]).toContain(part);
    }));

  it("lets static hosts send the same: what they join for an address is what the server sends there", () => {
    const rules = headersFile()
      .split(/\n(?=\/)/)
      .map((rule) => rule.trim().split("\n"));
    const joined = (address: string): string[] =>
      rules
        .filter(([pattern]) => pattern === "/*" || pattern === address)
        .flatMap(([, ...lines]) => lines.map((line) => line.trim()))
        .flatMap((line) => line.replace("Content-Security-Policy: ", "").split("; "))
        .sort();
    const sentAt = (address: string): string[] =>
      Object.entries(headersOf(address))
        .map(([name, value]) => `${name}: ${value}`)
        .flatMap((line) => line.replace("Content-Security-Policy: ", "").split("; "))
        .sort();
    for (const address of ["/", "/index.html", "/embed.html", "/live.html", "/sandbox.html"])
      expect(joined(address)).toEqual(sentAt(address === "/" ? "/index.html" : address));
  });
});

describe("rlkit ui", () => {
  it.each([
    [["--port", "65536"], '--port: found "65536", allowed integers from 0 to 65535'],
    [["--port", "many"], '--port: found "many", allowed integers from 0'],
    [["somewhere"], 'ui: unexpected argument "somewhere"'],
    [["--open"], "unknown option --open; allowed: --port, --host, --no-open"],
  ])("refuses %j", async (args, message) => {
    const { code, stderr } = await runCli(["ui", ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});
