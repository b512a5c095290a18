import fc from "fast-check";
import { deflateSync, strToU8 } from "fflate";
import { describe, expect, it } from "vitest";
import { templates } from "../../../src/manifests/templates.ts";
import { manifestText } from "../../../src/ui/pages/editor/document/writeManifest.ts";
import { readSharedManifest, sharedManifest } from "../../../src/ui/pages/editor/sharedManifest.ts";
import { playHead } from "../../../src/ui/pages/playFile/writePlayFile.ts";
import { editorRoute, formatRoute, parseRoute } from "../../../src/ui/routes/route.ts";
import { agentFile } from "../support/stageAgents.ts";

/** Fuzzed links; more of them in a long test. */
const LINKS = Number(process.env.RLKIT_FUZZED_LINKS ?? 30);

const letters = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");
const linkTo = (text: string): string => letters(deflateSync(strToU8(text)));

/** What became of a link: its text, or the sentence that refuses it. Anything else that is thrown is a fault. */
function outcome(link: string): string {
  try {
    return readSharedManifest(link);
  } catch (error) {
    if (error instanceof Error && /^The manifest in this link cannot be read: .+\.$/.test(error.message))
      return error.message;
    throw error;
  }
}

it("the preview of a play file tells its story, whatever names are in it", () => {
  const agent = { ...agentFile(1), algorithm: 'a"><script>', environment: "b&<i>", fitness: 3 };
  const head = playHead(agent);
  expect(head).toContain(
    '<meta property="og:title" content="a&#34;&#62;&#60;script&#62; in b&#38;&#60;i&#62;">',
  );
  expect(head).toContain("Its score when it was evaluated: 3.0.");
  expect(head).not.toMatch(/<(script|i)>/);
});

describe("a manifest in a link", () => {
  it("comes back to the letter, from every template, in an address of modest length", () => {
    for (const { manifest } of templates) {
      const text = `# mine\n${manifestText(manifest, "yaml")}`;
      const route = editorRoute({ kind: "spec", text: sharedManifest(text) });
      const address = formatRoute(route);
      expect(address.length).toBeLessThan(2000);
      expect(parseRoute(address)).toEqual(route);
      expect(readSharedManifest(sharedManifest(text))).toBe(text);
    }
  });

  it.each([
    ["a bomb", letters(deflateSync(new Uint8Array(5_000_000))), "larger than 200 kB"],
    ["one that is cut off", sharedManifest("algorithm: {name: DQN}\n".repeat(40)).slice(0, 20), "incomplete"],
    ["no deflate", "AAAAAAAA", "damaged or incomplete"],
    ["other letters", "<script>", "it contains invalid characters"],
    ["too many letters", "A".repeat(60_001), "longer than 60000 characters"],
    ["bytes", letters(deflateSync(new Uint8Array([0, 255, 254, 0]))), "it is not text"],
    ["another text", linkTo("just a few words"), "not a valid YAML or JSON manifest"],
    ["nothing", linkTo("{}"), "it is empty"],
  ])("refuses %s in a sentence", (_, link, reason) => {
    expect(outcome(link)).toContain(reason);
  });

  it("becomes a text or a sentence, whatever the link", () => {
    const valid = sharedManifest(manifestText(templates[0]?.manifest ?? {}, "yaml"));
    const changed = fc
      .tuple(fc.nat(valid.length - 1), fc.stringMatching(/^[\w-]{0,4}$/))
      .map(([at, part]) => valid.slice(0, at) + part + valid.slice(at + 2));
    const deflated = fc.oneof(fc.string(), fc.json()).map(linkTo);
    const any = fc.oneof(fc.string(), fc.uint8Array().map(letters), changed, deflated);
    fc.assert(
      fc.property(any, (link) => {
        expect(typeof outcome(link)).toBe("string");
      }),
      { numRuns: LINKS },
    );
  });
});
