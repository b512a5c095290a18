import { RainbowDQN } from "./src/rl/agents/index.ts";
import { EvolvableMLP } from "./src/rl/modules/index.ts";
import { Box, Discrete } from "./src/rl/spaces/index.ts";
for (const noisy of [true,false]) for (const output_vanish of [true,false]) {
const a = new RainbowDQN({observation_space:new Discrete(2), action_space:new Discrete(2), num_atoms:21, v_min:-2,v_max:2, actor_network:new EvolvableMLP({num_inputs:2,num_outputs:42,hidden_size:[16],noisy,output_vanish,random_seed:3})});
console.log(noisy,output_vanish,Array.from({length:40},(_, i)=>a.getAction(i%2)).join(""));
}
