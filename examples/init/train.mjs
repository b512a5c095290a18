/** Trains the manifest's population in Node, and keeps the best agent. */
import { LocalTrainer } from "rlkit";

const trainer = await LocalTrainer.fromManifest("manifest.yaml", { seed: 1 });
const [population, fitnesses] = await trainer.train();

const fitness = Math.max(...fitnesses);
await population[fitnesses.indexOf(fitness)].save("best.safetensors");
console.log(`best.safetensors: ${fitness.toFixed(1)} steps upright`);
