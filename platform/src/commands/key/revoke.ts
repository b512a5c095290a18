import { CliError } from "../../../../src/cli/CliError.ts";
import { EXIT } from "../../../../src/cli/CliIo.ts";
import type { Command } from "../../../../src/cli/CommandLine.ts";
import { DATABASE_OPTION } from "../databaseOption.ts";
import { DATA_OPTION } from "../dataOption.ts";
import { withKeys } from "./withKeys.ts";

export const revoke: Command = {
  name: "key revoke",
  summary: "Revokes a key by its ID from the list.",
  operands: ["ID"],
  options: { ...DATA_OPTION, ...DATABASE_OPTION },
  run: (line, io) =>
    withKeys(line, io, async ({ keys }) => {
      const id = line.operand(0);
      if (!(await keys.revoke(id)))
        throw new CliError(
          `key revoke: found "${id}", which is not the ID of a valid key; see rlkit-platform key list`,
          EXIT.usage,
        );
    }),
};
