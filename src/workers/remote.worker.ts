/** Entry point of the worker that talks to a remote platform. The key exists only in this worker's memory. */
import { pageOrigin } from "../http/access.ts";
import { REMOTE_CALLS, type RemoteMessage } from "./protocol/remote.ts";
import { serveCalls } from "./protocol/workerCalls.ts";
import { connectPlatform, plainMessage } from "./remote/connectPlatform.ts";
import { RemoteCoordinator } from "./remote/RemoteCoordinator.ts";

let coordinator: RemoteCoordinator | null = null;
let port: MessagePort | null = null;

const tell = (message: RemoteMessage): void => port?.postMessage(message);

serveCalls(
  REMOTE_CALLS,
  {
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
  },
  async (name, args) => {
    if (coordinator === null) throw new Error("No platform is connected.");
    try {
      return await coordinator.answer(name, args);
    } catch (error) {
      throw new Error(plainMessage(error), { cause: error });
    }
  },
);
