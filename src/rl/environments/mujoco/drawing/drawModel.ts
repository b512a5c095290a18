import type { DrawEnvironment } from "../../drawing/drawing.ts";
import { scene } from "../../drawing/scene.ts";
import type { ModelName } from "../models/models.ts";

export const drawModel = (_name: ModelName): DrawEnvironment =>
  scene({ left: -1, right: 1, bottom: -1, top: 1 }, () => undefined);
