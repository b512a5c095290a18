import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../scripts/lib/environment.mjs";
import { publishProblem } from "../../scripts/lib/publishProblem.mjs";

const read = (file: string) => readFileSync(path.join(root, file), "utf8");

/** Texts without their code, in which brackets are no links. */
const prose = (text: string) => text.replaceAll(/^```[\s\S]*?^```$/gm, "").replaceAll(/`[^`\n]*`/g, "");

const linksOf = (file: string) =>
  [...prose(read(file)).matchAll(/\]\(([^)\s]+)(?:\s+"[^"]*")?\)/g)].map(([, to]) => to ?? "");

const isRelative = (link: string) => !/^[a-z]+:/.test(link);

/** The anchors of a text's headings, as GitHub and npm make them. */
const anchorsOf = (file: string) =>
  [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );

/** Where a relative link of a file leads, from the root, and to which heading. */
function targetOf(file: string, link: string) {
  const [to = "", anchor] = link.split("#");
  return { file: to === "" ? file : path.posix.join(path.posix.dirname(file), to), anchor };
}

const texts = [
  ...readdirSync(root).filter((name) => name.endsWith(".md")),
  ...readdirSync(path.join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name.split(path.sep).join("/")}`),
];

describe.each(texts)("the links of %s", (text) => {
  it("lead to files and headings that are there", () => {
    const dead = linksOf(text)
      .filter(isRelative)
      .filter((link) => {
        const { file, anchor } = targetOf(text, link);
        if (!existsSync(path.join(root, file))) return true;
        return anchor !== undefined && !anchorsOf(file).includes(anchor);
      });
    expect(dead).toEqual([]);
  });
});

describe("the package", () => {
  // What npm would pack, of the files that are in the repository.
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const listed = execFileSync(npm, ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [{ files }] = JSON.parse(listed) as [{ files: readonly { path: string }[] }];
  const packed = files.map((file) => file.path);

  it("brings what its texts link to", () => {
    const shipped = texts.filter((text) => packed.includes(text));
    expect(shipped).toEqual(
      expect.arrayContaining([
        "README.md",
        "SECURITY.md",
        "docs/compatibility.md",
        "docs/architecture/README.md",
      ]),
    );
    const dangling = shipped.flatMap((text) =>
      linksOf(text)
        .filter(isRelative)
        .filter((link) => !packed.includes(targetOf(text, link).file))
        .map((link) => `${text}: ${link}`),
    );
    expect(dangling).toEqual([]);
  });

  it("brings nothing of tests, sources or tools", () => {
    const known = /^(dist\/(app|lib)\/|docs\/|examples\/|[A-Z]+(\.md)?$|package\.json$)/;
    expect(packed.filter((file) => !known.test(file))).toEqual([]);
  });

  it.each([
    [{}, "has no repository"],
    [{ repository: {} }, "has no repository"],
    [{ repository: "somewhere" }, 'the repository "somewhere"'],
    [{ repository: { url: "git+https://github.com/owner/rlkit.git" } }, "nothing"],
    [{ repository: "github:owner/rlkit" }, "nothing"],
  ])("is published only where the registry's page can resolve its links: %j", (manifest, problem) => {
    expect(publishProblem(manifest) ?? "nothing").toContain(problem);
  });
});
