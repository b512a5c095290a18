/** Play files that are posted: short links that anyone can open, until they are deleted. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { RemoteApiError, RemoteClient } from "../../src/remote/index.ts";
import { ask } from "./support/client.ts";
import { TestPlatform } from "./support/platform.ts";

const HTML = '<!doctype html><html><head><title>Play</title></head><body id="play">at play</body></html>';
const PNG = Buffer.from("89504e470d0a1a0a00", "hex");

let platform: TestPlatform;
let key: string;

beforeAll(async () => {
  platform = await TestPlatform.start();
  key = await platform.key("submit");
});

afterAll(async () => {
  await platform?.close();
});

const clientOf = (api_key: string): RemoteClient => new RemoteClient({ base_url: platform.url, api_key });

it("open without a key, with a preview whose texts are escaped, and can do nothing but play", async () => {
  const title = `DQN <script>"x"</script> & co`;
  const posted = await clientOf(key).postPlay({ html: HTML, title, poster: PNG.toString("base64") });
  expect(posted.url).toBe(`${platform.url}/p/${posted.id}`);
  expect(posted.url.length).toBeLessThanOrEqual(60);
  const page = await fetch(posted.url);
  expect(page.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
  expect(page.headers.get("Content-Security-Policy")).toMatch(
    /^sandbox allow-scripts [^;]*; default-src 'none'/,
  );
  expect(page.headers.get("Content-Security-Policy")).not.toContain("allow-same-origin");
  const text = await page.text();
  expect(text).toContain(
    '<meta property="og:title" content="DQN &lt;script&gt;&quot;x&quot;&lt;/script&gt; &amp; co">',
  );
  expect(text).toContain(`<meta property="og:image" content="${posted.url}/poster.png">`);
  // Those of the file itself give way.
  expect(text.match(/og:title/g)).toHaveLength(1);
  expect(text).toContain('<body id="play">at play</body>');
  const poster = await fetch(`${posted.url}/poster.png`);
  expect(poster.headers.get("Content-Type")).toBe("image/png");
  expect(Buffer.from(await poster.arrayBuffer())).toEqual(PNG);
});

it("are deleted by their own key alone, and their links say so then", async () => {
  const { id, url } = await clientOf(key).postPlay({ html: HTML, title: "mine" });
  expect(await (await fetch(url)).text()).not.toContain("og:image");
  await expect(clientOf(await platform.key("submit")).deletePlay(id)).rejects.toThrow(
    `play "${id}" not found`,
  );
  expect((await fetch(url)).status).toBe(200);
  await clientOf(key).deletePlay(id);
  for (const address of [url, `${url}/poster.png`, `${platform.url}/p/unknown`]) {
    const gone = await fetch(address);
    expect([gone.status, gone.headers.get("Content-Type")]).toEqual([
      404,
      expect.stringContaining("text/html"),
    ]);
    expect(await gone.text()).toContain("was deleted, or the link is incomplete");
  }
  await expect(clientOf(key).deletePlay(id)).rejects.toThrow(RemoteApiError);
});

it.each<readonly [string, Record<string, unknown>, RegExp]>([
  ["too large", { html: HTML.padEnd(600_001) }, /body\.html: allowed at most 600000 bytes/],
  ["another page", { html: "<html><head></head></html>" }, /body\.html: allowed a play file/],
  ["without a title", { title: "" }, /body\.title/],
  [
    "with a poster that is no PNG",
    { poster: Buffer.from("GIF89a").toString("base64") },
    /body\.poster: allowed a PNG/,
  ],
])("are refused if %s", async (_, change, told) => {
  const body = { html: HTML, title: "x", ...change };
  const { status, message } = await ask(platform, "POST", "/v1/plays", { key, body });
  expect(status).toBe(422);
  expect(message).toMatch(told);
});

it("need a key that may submit, and count to its limit", async () => {
  const body = { html: HTML, title: "x" };
  expect((await ask(platform, "POST", "/v1/plays", { body })).status).toBe(401);
  expect((await ask(platform, "POST", "/v1/plays", { key: await platform.key("read"), body })).status).toBe(
    403,
  );
  const busy = await platform.key("submit");
  let status = 200;
  for (let i = 0; status === 200 && i < 1000; i++)
    ({ status } = await ask(platform, "POST", "/v1/plays", { key: busy, body }));
  expect(status).toBe(429);
});
