import { useEffect, useState } from "react";
import { createRoot } from "react-dom/client";

/** Of the drawing; the members' steps together (trainer.js), and those of an episode (cartpole.js). */
const [WIDTH, HEIGHT, MOST_STEPS, MOST_FITNESS] = [600, 240, 120_000, 500];

/** Trains once; its generations so far, and whether it has ended. */
function useTraining() {
  const [generations, setGenerations] = useState([]);
  const [isFinished, setFinished] = useState(false);
  useEffect(() => {
    const worker = new Worker(new URL("./trainer.js", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }) => {
      if (data === "finished") setFinished(true);
      else setGenerations((before) => [...before, data]);
    };
    return () => worker.terminate();
  }, []);
  return { generations, isFinished };
}

/** The fitness of one member over the steps. */
function Curve({ generations, member, colour }) {
  const points = generations.map(({ step, fitnesses }) =>
    [(step / MOST_STEPS) * WIDTH, HEIGHT * (1 - fitnesses[member] / MOST_FITNESS)].join(),
  );
  return <polyline points={points.join(" ")} fill="none" stroke={colour} strokeWidth="2" />;
}

function Page() {
  const { generations, isFinished } = useTraining();
  const best = Math.max(0, ...generations.flatMap(({ fitnesses }) => fitnesses));
  return (
    <>
      <h1>Learning to balance</h1>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} style={{ border: "1px solid" }}>
        <title>Fitness over steps</title>
        <Curve generations={generations} member={0} colour="#0969da" />
        <Curve generations={generations} member={1} colour="#bc4c00" />
      </svg>
      <output>
        {isFinished ? "Finished" : "Training"}: at best {best.toFixed(0)} of {MOST_FITNESS} steps upright
      </output>
    </>
  );
}

createRoot(document.getElementById("root")).render(<Page />);
