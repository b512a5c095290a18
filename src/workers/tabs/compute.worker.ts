/** Entry point of the workbench's compute workers, whose models may act on ONNX Runtime. */
import "../../kernels/onnx/included.ts";
// Called, since bundlers leave out modules of this package that are imported for their effects alone.
import { serveWorker } from "../compute/serveWorker.ts";

serveWorker();
