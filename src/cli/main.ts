/** The command line tool as a function: arguments in, exit code out. */
import type { CliIo } from "./CliIo.ts";
import { data } from "./commands/data.ts";
import { evaluate } from "./commands/evaluate.ts";
import { explain } from "./commands/explain.ts";
import { exportPolicy } from "./commands/export.ts";
import { init } from "./commands/init.ts";
import { list } from "./commands/list.ts";
import { deleteModel, fetchModel, listModels } from "./commands/models.ts";
import { record } from "./commands/record.ts";
import { pull } from "./commands/remote/pull.ts";
import { list as remoteList, resume, stop } from "./commands/remote/runs.ts";
import { submit } from "./commands/remote/submit.ts";
import { watch } from "./commands/remote/watch.ts";
import { train } from "./commands/train.ts";
import { ui } from "./commands/ui.ts";
import { schema, validate } from "./commands/validate.ts";
import { type Program, runProgram } from "./runProgram.ts";

const RLKIT: Program = {
  name: "rlkit",
  about: "rlkit trains and evolves populations of reinforcement-learning agents.",
  commands: [
    init,
    train,
    validate,
    evaluate,
    explain,
    exportPolicy,
    record,
    data,
    listModels,
    fetchModel,
    deleteModel,
    list,
    schema,
    ui,
    submit,
    remoteList,
    watch,
    stop,
    resume,
    pull,
  ],
  streams: [train, evaluate, fetchModel, submit, watch],
  notes: [
    "Exit codes: 0 success; 1 invalid manifest or checkpoint, or a failed run; 2 invalid command line, a file that",
    "cannot be read or written, or output that was lost; 130 stopped by Ctrl-C. With DEBUG set, errors show where",
    "they came from; with RLKIT_NOHUP=1, closing the terminal does not stop the command, as under nohup.",
  ],
};

/** Runs one command line, without the program's name. Never rejects. */
export const main = (args: readonly string[], io: CliIo): Promise<number> => runProgram(RLKIT, args, io);
