/** What a compute worker does: one turn after another, in the order they come. */
import { Gate, StoppedError } from "../training/loop/Gate.ts";
import { runTurn } from "../training/loop/runTurn.ts";
import type { Bench, Setup } from "../training/loop/Workload.ts";
import type { RunSetup } from "../training/rl/kinds.ts";
import { RL_WORKLOAD } from "../training/rl/RlWorkload.ts";
import { rlBench } from "../training/rl/rlBench.ts";
import type { ComputePort, ToCompute } from "./computeProtocol.ts";
import { loadModules } from "./loadModules.ts";
import { transferables } from "./transferables.ts";

/** The registry also knows how runs start and end, of which a worker needs nothing: it is loaded for others than rlkit's. */
async function benchOf(setup: Setup): Promise<Bench> {
  // Whoever names that workload gives its setup.
  if (setup.workload === RL_WORKLOAD) return rlBench(setup as RunSetup);
  const { requireWorkload } = await import("../training/workloads/registry.ts");
  return requireWorkload(setup.workload).bench(setup);
}

type Work = Extract<ToCompute, { type: "open" | "news" | "turn" }>;

/** Serves an executor until the worker is terminated. */
export function serveCompute(port: ComputePort): void {
  const gate = new Gate();
  let bench: Bench | null = null;
  let queue: Promise<void> = Promise.resolve();
  let received = 0;
  let aborted = 0;

  const opened = (): Bench => {
    if (!bench) throw new Error("a compute worker was given work before a run");
    return bench;
  };

  const work = async (message: Work): Promise<void> => {
    switch (message.type) {
      case "open":
        bench?.close();
        await loadModules(message.modules);
        bench = await benchOf(message.setup);
        port.post({ type: "ready" }, []);
        return;
      case "news":
        opened().hear(message.news);
        port.post({ type: "heard" }, []);
        return;
      case "turn": {
        const { id, turn } = message;
        if (id <= aborted) {
          port.post({ type: "stopped", id }, []);
          return;
        }
        gate.reset();
        try {
          const outcome = await runTurn(opened(), turn, gate, (slice) =>
            port.post({ type: "slice", id, slice }, []),
          );
          // What was thrown may not be data that crosses threads; its message does.
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
        aborted = received;
        gate.abort();
        return;
      case "kernels":
        port.post({ type: "kernels", reports: bench?.kernels() ?? [] }, []);
        return;
      case "open":
      case "news":
      case "turn":
        if (message.type === "turn") received = message.id;
        queue = queue
          .then(() => work(message))
          .catch((error: unknown) => {
            port.post(
              { type: "failed", message: error instanceof Error ? error.message : String(error) },
              [],
            );
          });
    }
  });
}
