import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { givenModule, type OpenModule } from "../../llm/modules.ts";
import { prepareModule } from "../moduleSource.ts";
import { SandboxedModule } from "../SandboxedModule.ts";
import { importsOf } from "../validateModule.ts";
import { nodeSandbox } from "./nodeSandbox.ts";

/** The module of a file, in a sandbox, unless this program's caller has imported it. */
export const openFileModule: OpenModule = (path, { deadline_s }) =>
  givenModule(path, pathToFileURL(resolve(path)).href) ??
  new SandboxedModule(nodeSandbox, {
    name: path,
    script: scriptOf(path),
    timeout_s: deadline_s ?? Number.POSITIVE_INFINITY,
  });

async function scriptOf(path: string): Promise<string> {
  const { script } = await prepareModule(path, await readFile(path, "utf8"));
  const [found] = await importsOf(script);
  if (!found) return script;
  throw new Error(
    `${found.what}; a module that you trust with all rights of your account can import: give it as --module ${path} too`,
  );
}
