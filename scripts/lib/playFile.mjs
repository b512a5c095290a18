/**
 * The page of play files: one HTML file with its program in it, deflated, which loads nothing. The workbench has it as a
 * text, and adds an agent (src/ui/pages/playFile).
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { deflateRawSync } from "node:zlib";
import { DATA_ID, DATA_PLACE, HEAD_PLACE, PLANCK_PLACE } from "../../src/ui/pages/playFile/playData.ts";
import { root } from "./environment.mjs";
import { noticeOf, packagesOf } from "./notices.mjs";
import { classicScript } from "./sandboxPage.mjs";

const TEMPLATE = path.join(root, "src/ui/pages/playFile/playTemplate.ts");
const MUJOCO = path.join(root, "src/rl/environments/mujoco/definitions.ts");

/** The page may run what is in it, and load nothing. */
const policy =
  "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/** The first of 85 letters of ASCII, of which "<" is none: it could end the element. */
const FIRST = 35;
const LEFT_OUT = 60;

/**
 * Bytes as text, five letters for four bytes; base64 takes a fifteenth more.
 *
 * @param {Uint8Array} bytes
 */
function base85(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 4) {
    let number = 0;
    for (let i = 0; i < 4; i++) number = number * 256 + (bytes[at + i] ?? 0);
    let letters = "";
    for (let i = 0; i < 5; i++) {
      const code = FIRST + (number % 85);
      letters = String.fromCharCode(code < LEFT_OUT ? code : code + 1) + letters;
      number = Math.floor(number / 85);
    }
    text += letters;
  }
  return text;
}

/** Inflates the program and what it needs, and runs them as scripts of the page. */
const loader = `(async () => {
  for (const { textContent: text, dataset } of document.querySelectorAll("[data-bytes]")) {
    const packed = new Uint8Array((text.length / 5) * 4);
    for (let at = 0, to = 0; at < text.length; to += 4) {
      let number = 0;
      for (let i = 0; i < 5; i++) {
        const code = text.charCodeAt(at++);
        number = number * 85 + code - (code < ${LEFT_OUT} ? ${FIRST} : ${FIRST + 1});
      }
      for (let i = 3; i >= 0; i--) {
        packed[to + i] = number % 256;
        number = Math.floor(number / 256);
      }
    }
    const inflated = new Blob([packed.subarray(0, Number(dataset.bytes))]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const script = document.createElement("script");
    script.textContent = await new Response(inflated).text();
    document.body.append(script);
  }
})().catch((error) => {
  document.querySelector("main").textContent = "This browser cannot open the file: " + error.message;
});`;

/**
 * A script that the loader runs.
 *
 * @param {string} code
 */
function packedScript(code) {
  const deflated = deflateRawSync(code, { level: 9 });
  return `<script type="text/plain" data-bytes="${deflated.length}">${base85(deflated)}</script>`;
}

/** @param {string} file */
const style = (file) =>
  readFileSync(path.join(root, "src/ui", file), "utf8").replace(/@font-face \{[^}]*\}/g, "");

/**
 * MuJoCo, which no play file has.
 *
 * @type {import("vite").Plugin}
 */
const withoutMujoco = {
  name: "rlkit:without-mujoco",
  load: {
    filter: { id: MUJOCO },
    handler: () => "export const mujocoTasks = [], needsMujoco = () => false;",
  },
};

/**
 * Planck, which only files of its environments have.
 *
 * @type {import("vite").Plugin}
 */
const planckOutside = {
  name: "rlkit:planck-outside",
  enforce: "pre",
  resolveId: { filter: { id: /^planck$/ }, handler: () => "\0planck-outside" },
  load: {
    filter: { id: /^\0planck-outside$/ },
    handler: () =>
      "export const { BoxShape, EdgeShape, PolygonShape, RevoluteJoint, Vec2, World } = globalThis.planck ?? {};",
  },
};

/**
 * A file below src as a script, and the notices of its packages as a comment.
 *
 * @param {string} file
 * @param {import("vite").Plugin[]} plugins
 */
async function packed(file, plugins) {
  /** @type {Set<string>} */
  const modules = new Set();
  /** @type {import("vite").Plugin} */
  const seen = {
    name: "rlkit:play-file-modules",
    generateBundle(_options, bundle) {
      for (const part of Object.values(bundle))
        if (part.type === "chunk")
          for (const id of part.moduleIds) if (!id.startsWith("\0planck")) modules.add(id);
    },
  };
  const code = await classicScript(file, { "import.meta": "({})" }, [...plugins, seen]);
  const notices = [...packagesOf(modules, root)].map(([folder, places]) => noticeOf(folder, places));
  const texts = notices.map(({ name, version, text }) =>
    `${name} ${version}\n\n${text}`.replaceAll("--", "- -"),
  );
  const comment = `<!--\nThis file holds code of these packages:\n\n${texts.join("\n\n")}\n-->`;
  return { script: packedScript(code), comment };
}

/** @returns {Promise<string>} what takes the place of {@link PLANCK_PLACE} */
async function planckScript() {
  const { script, comment } = await packed("ui/pages/playFile/planck.ts", []);
  return `${script}\n${comment}`;
}

/** @returns {Promise<string>} the page, with a place for its data */
export async function playPage() {
  const { script, comment } = await packed("ui/pages/playFile/playFile.ts", [withoutMujoco, planckOutside]);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${HEAD_PLACE}
<style>${["styles/tokens.css", "games/games.css", "pages/playFile/playFile.css"].map(style).join("")}</style>
</head>
<body>
<main></main>
<noscript>The agent needs JavaScript to play.</noscript>
<script type="application/json" id="${DATA_ID}">${DATA_PLACE}</script>
${PLANCK_PLACE}
${script}
<script>${loader}</script>
</body>
</html>
${comment}
`;
}

/** @returns {import("vite").Plugin} */
export const playFileInside = () => ({
  name: "rlkit:play-file",
  apply: "build",
  load: {
    filter: { id: TEMPLATE },
    handler: async () =>
      `export const playTemplate = ${JSON.stringify(await playPage())}, playPlanck = ${JSON.stringify(await planckScript())};`,
  },
});
