/** Error messages for a platform that cannot be reached or rejects the page. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { connectPlatform } from "../../../src/workers/remote/connectPlatform.ts";
import { KEY, withPlatform } from "../../remote/platform.ts";

const PAGE = "https://workbench.example";

afterEach(() => {
  vi.unstubAllGlobals();
});

/** An address without a server. */
async function closedAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return `http://127.0.0.1:${port}`;
}

describe("connectPlatform", () => {
  it("tells whose key it is, and what it reaches", async () => {
    await withPlatform(async (platform) => {
      const user = { id: "k1", name: "ann", scopes: ["read"], project: null };
      const projects = [{ name: "default" }, { name: "maze" }];
      platform.answer(({ route }) => ({ data: route.endsWith("current") ? user : projects }));
      const { platform: found } = await connectPlatform(`${platform.base_url}/`, KEY, PAGE);
      expect(found).toEqual({
        address: platform.base_url,
        user: { name: "ann", scopes: ["read"], project: null },
        projects: ["default", "maze"],
      });
    });
  });

  it("names a key that the platform does not know, without showing it", async () => {
    await withPlatform(async (platform) => {
      const refused = connectPlatform(platform.base_url, "rk_wrong_secret", PAGE);
      await expect(refused).rejects.toThrow("The platform does not know this key.");
      await expect(refused).rejects.not.toThrow("rk_wrong_secret");
    });
  });

  it.each([
    ["no address", KEY, "Address: "],
    ["ftp://a.example", KEY, "Address: "],
    ["http://127.0.0.1:1", "", "Key: is empty"],
    [
      "http://127.0.0.1:1",
      "two words",
      "Key: is empty, or contains spaces, line breaks or other characters that keys do not have",
    ],
  ])("says what is wrong with %j and the key %j", async (address, key, message) => {
    await expect(connectPlatform(address, key, PAGE)).rejects.toThrow(message);
  });

  it("tells another server from a platform", async () => {
    await withPlatform(async (platform) => {
      platform.answer(() => ({ status: 404 }));
      await expect(connectPlatform(platform.base_url, KEY, PAGE)).rejects.toThrow("is not an rlkit platform");
      platform.answer(() => ({ body: "<html>", headers: { "Content-Type": "text/html" } }));
      await expect(connectPlatform(platform.base_url, KEY, PAGE)).rejects.toThrow("is not an rlkit platform");
    });
  });

  it("hands on what the platform says of too many wrong keys", async () => {
    await withPlatform(async (platform) => {
      const message = "too many wrong keys: allowed 10 in 60 s";
      platform.answer(() => ({
        status: 429,
        headers: { "Retry-After": "7" },
        body: JSON.stringify({ message }),
      }));
      await expect(connectPlatform(platform.base_url, KEY, PAGE)).rejects.toThrow(
        `${message}. Try again in 7 s.`,
      );
    });
  });

  it("says that nothing answers", async () => {
    const address = await closedAddress();
    await expect(connectPlatform(address, KEY, null)).rejects.toThrow(`${address} does not answer.`);
  });

  it("names --origin where the server is there and does not allow the page", async () => {
    // For a forbidden origin, a browser tells the page only that the request failed.
    vi.stubGlobal("fetch", async (_: unknown, { mode }: RequestInit) => {
      if (mode === "no-cors") return new Response();
      throw new TypeError("Failed to fetch");
    });
    await expect(connectPlatform("http://127.0.0.1:8400", KEY, "http://localhost:5173")).rejects.toThrow(
      "Start the platform with --origin http://localhost:5173.",
    );
  });

  it("says that a page of https cannot ask an http address of another machine", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
    const asking = (address: string) => connectPlatform(address, KEY, PAGE);
    await expect(asking("http://platform.example")).rejects.toThrow("This page was loaded over https");
    await expect(asking("http://127.0.0.1:8400")).rejects.toThrow("does not answer");
    await expect(asking("https://platform.example")).rejects.toThrow("does not answer");
  });
});
