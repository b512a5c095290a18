/** Entry point of a compute worker, in a browser and in Node. */
import { serveWorker } from "./serveWorker.ts";

serveWorker();
