/** The work of a compute worker: one message after another, in order of arrival. */
import { Gate, runTurn, type Setup, StoppedError, type TurnRunner } from "../../training/loop.ts";
import { RL_WORKLOAD, type RunSetup, rlTurnRunner } from "../../training/workloads.ts";
import { type ComputePort, type ToCompute, transferables } from "../protocol/compute.ts";
import { loadModules } from "./loadModules.ts";

/**
 * The turn runner of a workload. The registry also contains code that starts and ends runs, which a worker does not
 * need. So it is loaded only for workloads other than rlkit's RL workload.
 */
async function turnRunnerOf(setup: Setup): Promise<TurnRunner> {
  // The setup of this workload is always a `RunSetup`.
  if (setup.workload === RL_WORKLOAD) return rlTurnRunner(setup as RunSetup);
  const { requireWorkload } = await import("../../training/workloads/registry.ts");
  return requireWorkload(setup.workload).turnRunner(setup);
}

type Work = Extract<ToCompute, { type: "open" | "news" | "turn" | "close" }>;

/** Serves an executor until the worker is terminated. */
export function serveCompute(port: ComputePort): void {
  /** That of the run, as the executor has it. */
  let gate = new Gate();
  let turnRunner: TurnRunner | null = null;
  let queue: Promise<void> = Promise.resolve();

  const opened = (): TurnRunner => {
    if (!turnRunner) throw new Error("a compute worker was given work before a run");
    return turnRunner;
  };

  const work = async (message: Work, own: Gate): Promise<void> => {
    switch (message.type) {
      case "open":
        turnRunner?.close();
        await loadModules(message.modules);
        turnRunner = await turnRunnerOf(message.setup);
        port.post({ type: "ready" }, []);
        return;
      case "close":
        turnRunner?.close();
        turnRunner = null;
        return;
      case "news":
        opened().hear(message.news);
        port.post({ type: "heard" }, []);
        return;
      case "turn": {
        const { id, turn } = message;
        try {
          if (own.isAborted) throw new StoppedError();
          const outcome = await runTurn(opened(), turn, own, (slice) =>
            port.post({ type: "slice", id, slice }, []),
          );
          // A thrown value may not be cloneable between threads; its message is.
          const plain = outcome.ok ? outcome : { ...outcome, cause: undefined };
          port.post({ type: "done", id, outcome: plain }, transferables(plain));
        } catch (error) {
          if (!(error instanceof StoppedError)) throw error;
          port.post({ type: "stopped", id }, []);
        }
      }
    }
  };

  port.listen((message) => {
    switch (message.type) {
      case "pause":
        gate.pause();
        return;
      case "resume":
        gate.resume();
        return;
      case "abort":
        gate.abort();
        return;
      case "kernels":
        port.post({ type: "kernels", reports: turnRunner?.kernels() ?? [] }, []);
        return;
      case "open":
      case "news":
      case "turn":
      case "close": {
        if (message.type === "open" || message.type === "close") gate = new Gate();
        const own = gate;
        queue = queue
          .then(() => work(message, own))
          .catch((error: unknown) => {
            port.post(
              { type: "failed", message: error instanceof Error ? error.message : String(error) },
              [],
            );
          });
      }
    }
  });
}
