import { manifestJsonSchema } from "../../manifests/index.ts";
import { EXIT } from "../CliIo.ts";
import type { Command } from "../CommandLine.ts";

export const schema: Command = {
  name: "schema",
  summary: "Prints the JSON Schema of manifests, for editors.",
  operands: [],
  options: {},
  run: async (_line, { stdout }) => {
    stdout.write(`${JSON.stringify(manifestJsonSchema(), null, 2)}\n`);
    return EXIT.ok;
  },
};
