import { checkManifest } from "./src/specs/index.ts";
const base = { algorithm: { name: "DQN" }, environment: { name: "CartPole-v1" } };
for (const m of [{...base, seed: 2},{...base, training:{seed:2}},{...base, algorithm:{name:"DQN",seed:2}},{...base,training:{seed:2},algorithm:"DQN"},{...base,training:{clip_coef:2}},{...base,algorithm:{name:"Recurrent PPO"},training:{clip_coef:0.2}},{...base,gamma:0.9},{...base,device:"x"},{...base,constructor:1},{...base,toString:1},
 {...base, network:{encoder_config:{hidden_size:[32,"x"]}}}, {...base, network:{encoder_config:{hidden_size:[]}}},{...base, network:{encoder_config:{hidden_size:"x"}}},{...base, network:{encoder_config:{hidden_size:[32,0]}}},{...base, network:{encoder_config:{hidden_size:0}}},{...base, network:{arch:"mlp",encoder_config:{hidden_size:[32,0]}}},{...base, network:{arch:"mlp",encoder_config:{hidden_size:[]}}},
 {...base,environment:{name:"CartPole-v1",env_config:5}},{...base,environment:{name:"CartPole-v1",version:[1]}}, {...base, training:{swap_channels:1}}])
 { const r = checkManifest(m); console.log(JSON.stringify(m).slice(58), r.success ? "ok" : JSON.stringify(r.issues)); }
