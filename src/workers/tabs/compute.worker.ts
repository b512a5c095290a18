/** Entry point of the workbench's compute workers, whose models may act on ONNX Runtime. */
import "../../kernels/onnx/included.ts";
import "../compute/compute.worker.ts";
