/** What a compute worker does: one turn after another, in the order they come. */

import { MemberBench } from "../training/executors/InThreadExecutor.ts";
import { registeredMembers } from "../training/executors/memberSource.ts";
import { Gate, StoppedError } from "../training/loop/executor.ts";
import type { ComputePort, ToCompute } from "./computeProtocol.ts";
import { transferables } from "./transferables.ts";

type Work = Extract<ToCompute, { type: "open" | "store" | "turn" }>;

/** Serves an executor until the worker is terminated. */
export function serveCompute(port: ComputePort): void {
  const gate = new Gate();
  let bench: MemberBench | null = null;
  let queue: Promise<void> = Promise.resolve();
  let received = 0;
  let aborted = 0;

  const opened = (): MemberBench => {
    if (!bench) throw new Error("a compute worker was given work before a run");
    return bench;
  };

  const work = async (message: Work): Promise<void> => {
    switch (message.type) {
      case "open":
        bench?.close();
        bench = new MemberBench(
          message.setup,
          await registeredMembers(message.setup.environment, message.setup.env_config),
        );
        port.post({ type: "ready" }, []);
        return;
      case "store":
        opened().store(message.written);
        return;
      case "turn": {
        const { id, turn } = message;
        if (id <= aborted) {
          port.post({ type: "stopped", id }, []);
          return;
        }
        gate.reset();
        try {
          const outcome = await opened().turn(turn, gate, (slice) =>
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
        port.post({ type: "kernels", reports: bench?.device.kernels() ?? [] }, []);
        return;
      case "open":
      case "store":
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
