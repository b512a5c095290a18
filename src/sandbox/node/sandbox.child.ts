/** The program of a Node child process that runs a user's environment. */
import { serveSandbox } from "../serveSandbox.ts";
import { READY } from "./ready.ts";

/** Bound before a user's module can replace them. */
const send = process.send?.bind(process);
const exit = process.exit.bind(process);
if (!send) throw new Error("sandbox: found no parent process, allowed only as a child process");

// The training process has ended.
process.on("disconnect", () => exit());

serveSandbox(
  {
    post: (message) => void send(message),
    listen: (onMessage) => void process.on("message", onMessage),
  },
  // Imported from the text itself: the process may read only its own program files.
  (script) => import(`data:text/javascript;base64,${Buffer.from(script).toString("base64")}`),
);

send(READY);
