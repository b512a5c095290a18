/** Entry point of the worker that talks to a remote platform. The key exists only in this worker's memory. */
import { expose, transfer } from "comlink";
import { pageOrigin } from "../../http/access.ts";
import { installErrorTransfer } from "../errorTransfer.ts";
import { CALLS_ABOUT_A_RUN, type RemoteCalls, type RemoteMessage, type RunCalls } from "../remoteProtocol.ts";
import { transferables } from "../transferables.ts";
import { connectPlatform } from "./connectPlatform.ts";
import { plainMessage } from "./plainMessage.ts";
import { RemoteCoordinator } from "./RemoteCoordinator.ts";

type Call = (...args: readonly unknown[]) => Promise<unknown>;

let coordinator: RemoteCoordinator | null = null;
let port: MessagePort | null = null;

const tell = (message: RemoteMessage): void => port?.postMessage(message);

const contract: Pick<RemoteCalls, "connect" | "subscribe"> = {
  connect: async (address, key) => {
    const { client, platform } = await connectPlatform(address, key, pageOrigin());
    coordinator?.close();
    coordinator = new RemoteCoordinator({
      client,
      emit: (event) => tell({ kind: "event", event }),
      onLink: (problem) => tell({ kind: "link", problem }),
    });
    return platform;
  },
  subscribe: async (given) => {
    port = given;
  },
};

/** Wraps a call of the coordinator: its arrays are transferred, and its errors get plain messages. */
const callOf =
  (name: keyof RunCalls | Exclude<keyof RemoteCalls, "connect" | "subscribe">): Call =>
  async (...args) => {
    if (coordinator === null) throw new Error("No platform is connected.");
    try {
      // The caller is built from the same code, so its arguments have the types of the call.
      const value = await (coordinator[name] as Call).call(coordinator, ...args);
      const buffers = transferables(value);
      return buffers.length === 0 ? value : transfer(value as object, buffers);
    } catch (error) {
      throw new Error(plainMessage(error), { cause: error });
    }
  };

const calls = [
  ...CALLS_ABOUT_A_RUN,
  "hold",
  "release",
  "machines",
  "listRuns",
  "submit",
  "downloadCheckpoint",
] as const;

installErrorTransfer();
expose({ ...contract, ...Object.fromEntries(calls.map((name) => [name, callOf(name)])) });
