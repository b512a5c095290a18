/** The program of a child process of Node that runs a person's environment. */
import { serveSandbox } from "../serveSandbox.ts";
import { READY } from "./ready.ts";

/** Bound before a module of a person's can put others in their place. */
const send = process.send?.bind(process);
const exit = process.exit.bind(process);
if (!send) throw new Error("sandbox: found no parent process, allowed as a child of one");

// Whoever trains is gone.
process.on("disconnect", () => exit());

serveSandbox(
  {
    post: (message) => void send(message),
    listen: (onMessage) => void process.on("message", onMessage),
  },
  // From the text itself: the process may read no file but its own program.
  (script) => import(`data:text/javascript;base64,${Buffer.from(script).toString("base64")}`),
);

send(READY);
