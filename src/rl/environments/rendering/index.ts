/** Vector drawings of environments on a 2D canvas context. */
export { drawEnvironment, registerDrawing } from "./drawEnvironment.ts";
export type {
  DrawEnvironment,
  DrawingContext,
  DrawingSize,
  DrawingTheme,
  RenderFrame,
  RenderTarget,
} from "./drawing.ts";
