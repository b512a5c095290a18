import { statSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../scripts/lib/environment.mjs";
import {
  dependenciesOf,
  isAllowedLicence,
  noticeOf,
  packagesOf,
  thirdPartyNotices,
} from "../../scripts/lib/notices.mjs";
import { withTemporaryDirectory } from "../storage/support/temporaryDirectory.ts";

const MIT = { license: "MIT" };

async function write(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}

/** A package in a project's node_modules, with its files. */
async function install(project: string, name: string, fields: object, files: Record<string, string> = {}) {
  const folder = path.join(project, "node_modules", name);
  const described = { name: name.split("node_modules/").at(-1), version: "1.2.3", ...fields };
  await write(path.join(folder, "package.json"), JSON.stringify(described));
  for (const [file, text] of Object.entries(files)) await write(path.join(folder, file), text);
  return folder;
}

/** A project whose site is made of these modules. */
const withProject = (dependencies: readonly string[], work: (project: string) => Promise<void>) =>
  withTemporaryDirectory(async (project) => {
    const needed = Object.fromEntries(dependencies.map((name) => [name, "*"]));
    await write(path.join(project, "package.json"), JSON.stringify({ dependencies: needed }));
    await work(project);
  });

describe("third-party notices", () => {
  it("name what is bundled and what the package needs, deep down, each once", () =>
    withProject(["needed"], async (project) => {
      const bundled = await install(project, "@scope/bundled", MIT, {
        LICENSE: "text of bundled",
        "lib/a.js": "",
      });
      await install(
        project,
        "needed",
        { license: "ISC", dependencies: { deep: "*" } },
        { "LICENCE.md": "text of needed" },
      );
      await install(
        project,
        "needed/node_modules/deep",
        { license: "Apache-2.0" },
        { COPYING: "text of deep", NOTICE: "notice of deep" },
      );
      await install(project, "unused", { license: "GPL-3.0-only" });
      const modules = [
        `${bundled}/lib/a.js`,
        `${bundled}/b.css?inline`,
        `\0${bundled}/c.js?commonjs`,
        `${project}/src/own.ts`,
      ];
      const text = thirdPartyNotices(modules, project);
      expect(text.match(/^(@?\w\S*) 1\.2\.3$/gm)).toEqual([
        "@scope/bundled 1.2.3",
        "deep 1.2.3",
        "needed 1.2.3",
      ]);
      expect(text).toContain("@scope/bundled 1.2.3\nLicence: MIT\n\ntext of bundled\n");
      expect(text).toContain("deep 1.2.3\nLicence: Apache-2.0\n\ntext of deep\n\nnotice of deep\n");
      expect(text).not.toContain("unused");
    }));

  it("hold the licence of code that a package took from elsewhere", () =>
    withProject([], async (project) => {
      const folder = await install(project, "vendors", MIT, {
        LICENSE: "its own",
        "vendor/d3/src/index.js": "",
        "vendor/d3/LICENSE": "of d3",
        "other/LICENSE": "of what is not bundled",
      });
      const places = packagesOf([`${folder}/vendor/d3/src/index.js`], project).get(folder);
      expect(noticeOf(folder, places).text).toBe("its own\n\nof d3");
    }));

  it("hold the licence of the typeface, whose file is small", () => {
    const text = thirdPartyNotices([], root);
    expect(text).toMatch(/^Geist 5\.3\.0\nLicence: OFL-1\.1\n\nCopyright \d+ The Geist Project Authors/m);
    expect(text).toContain("SIL OPEN FONT LICENSE Version 1.1");
    expect(statSync(path.join(root, "src/ui/styles/geist/geist-latin.woff2")).size).toBeLessThan(30_000);
  });

  it("name the bundler for the code that it adds, without what is only in the bundler", () =>
    withProject([], async (project) => {
      const text = "# Vite core license\nMIT License\n\n# Licenses of bundled dependencies\nmany";
      await install(project, "vite", MIT, { "LICENSE.md": text });
      expect(thirdPartyNotices(["\0vite/preload-helper.js"], project)).toMatch(/\nMIT License\n$/);
    }));

  it.each([
    ["GPL-3.0-only", "GPL-3.0-only"],
    ["an expression with it", "MIT AND GPL-3.0-only"],
    ["none", undefined],
    ["one in an old form", [{ type: "MIT" }]],
  ])("end with an error where the licence is %s", (_, license) =>
    withProject(["bad"], async (project) => {
      await install(project, "bad", { license }, { LICENSE: "text" });
      expect(() => thirdPartyNotices([], project)).toThrow(/^bad 1\.2\.3 has the licence .*allowed: .*MIT/);
    }),
  );

  it("end with an error where a licence's text is missing, or a package", () =>
    withProject(["silent"], async (project) => {
      expect(() => dependenciesOf(project)).toThrow("needs silent, which is not installed");
      await install(project, "silent", MIT, { "LICENSE/readme.txt": "a folder", "README.md": "MIT" });
      expect(() => thirdPartyNotices([], project)).toThrow(
        "silent 1.2.3 (MIT) has no file with its licence's text",
      );
      await install(project, "silent", MIT, { "COPYING.txt": " \n" });
      expect(() => thirdPartyNotices([], project)).toThrow("has no file with its licence's text");
    }));

  it("hold the known text of a package that has none, under the licence that it is of", () =>
    withProject(["onnxruntime-web"], async (project) => {
      await install(project, "onnxruntime-web", MIT, {});
      expect(thirdPartyNotices([], project)).toContain("Copyright (c) 2018 - present Microsoft Corporation");
      await install(project, "onnxruntime-web", { license: "Apache-2.0" }, {});
      expect(() => thirdPartyNotices([], project)).toThrow("has no file with its licence's text");
    }));

  it("name the licence that was read where a package says no more than where it is", () =>
    withProject(["h5wasm"], async (project) => {
      const pointing = { license: "SEE LICENSE IN LICENSE.txt" };
      await install(project, "h5wasm", pointing, { "LICENSE.txt": "its text" });
      expect(thirdPartyNotices([], project)).toContain(
        "h5wasm 1.2.3\nLicence: NIST-Software AND BSD-3-Clause-LBNL\n\nits text\n",
      );
      await install(project, "h5wasm", { license: "SEE TERMS IN TERMS.txt" }, { "LICENSE.txt": "its text" });
      expect(() => thirdPartyNotices([], project)).toThrow('has the licence "SEE TERMS IN TERMS.txt"');
    }));

  it("say of a package without a copyright line that it has none", () =>
    withProject(["guid-typescript"], async (project) => {
      await install(project, "guid-typescript", { license: "ISC" }, {});
      const text = thirdPartyNotices([], project);
      expect(text).toContain("has a copyright line or the licence's text, which is:");
      expect(text).not.toMatch(/copyright \(c\)/i);
    }));

  it.each([
    ["MIT", true],
    ["(MIT OR GPL-3.0-only)", true],
    ["MIT AND ISC AND BSD-3-Clause", true],
    ["(MIT OR Apache-2.0) AND GPL-2.0-only", false],
    ["SEE LICENSE IN LICENSE", false],
    ["UNLICENSED", false],
    ["AGPL-3.0-or-later", false],
  ])("take %s: %s", (expression, allowed) => {
    expect(isAllowedLicence(expression)).toBe(allowed);
  });
});
