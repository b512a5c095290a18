import { type Evolvable, type HyperparameterConfig, NO_MUTATION } from "../../src/evolution/members.ts";

/** A member that only remembers what was asked of it. */
export class Member implements Evolvable<Member> {
  readonly index: number;
  readonly parent: number | null;
  readonly fitness: readonly number[];
  readonly hp_config: HyperparameterConfig | null;
  hyperparameters: Record<string, number>;
  mut = NO_MUTATION;
  asked: string[] = [];

  constructor(index: number, fitness: readonly number[], rest: Partial<Member> = {}) {
    this.index = index;
    this.fitness = fitness;
    this.parent = rest.parent ?? null;
    this.hp_config = rest.hp_config ?? null;
    this.hyperparameters = { ...(rest.hyperparameters ?? { lr: 1e-3 }) };
  }

  setHyperparameter(name: string, value: number): void {
    this.hyperparameters = { ...this.hyperparameters, [name]: value };
  }

  clone(index = this.index): Member {
    const { hp_config, hyperparameters } = this;
    return new Member(index, [...this.fitness], { parent: this.index, hp_config, hyperparameters });
  }

  mutateArchitecture(options: { new_layer_prob: number; key: object }): string {
    this.asked.push(`architecture ${JSON.stringify(options)}`);
    return "head_net.add_node";
  }

  mutateParameters(options: { mutation_sd: number; key: object }): string {
    this.asked.push(`parameters ${JSON.stringify(options)}`);
    return "param";
  }

  mutateActivation(options: { activation_selection: readonly string[]; key: object }): string {
    this.asked.push(`activation ${JSON.stringify(options)}`);
    return "act";
  }
}
