/** Writes the models of MuJoCo's tasks as XML files into a folder: `npx tsx tests/rl/inside/environments/mujoco/writeModels.ts FOLDER`. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { mjcf } from "../../../../../src/rl/environments/mujoco/models/mjcf.ts";
import { models } from "../../../../../src/rl/environments/mujoco/models/models.ts";

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("Name a folder to write to.");
mkdirSync(folder, { recursive: true });
for (const [name, model] of Object.entries(models))
  writeFileSync(path.join(folder, `${name}.xml`), mjcf(model));
