/** A process that acts as Weights & Biases and reports its port. With "gone", it closes its server first. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const bucket = { name: "bench", project: { name: "rlkit", entity: { name: "team" } } };
const data = { viewer: { entity: "team" }, upsertBucket: { bucket } };

const server = createServer((request, response) => {
  request.resume().on("end", () => response.end(JSON.stringify({ data })));
});
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  if (process.argv[2] === "gone") server.close();
  process.send?.(port);
});
