/** The words of evolution as Help explains them, each in at most 60 words. */
export const CONCEPTS = {
  population:
    "A run trains several agents at once: its population. Each member has its own network, its own hyperparameters and its own luck, and all learn the same task side by side. So one run tries many settings in the time of one, and a bad start costs only one member. The wall on a run's overview shows them at play.",
  fitness:
    "Fitness says how well a member does its task. After a generation, every member plays some episodes without exploring; the mean of their returns is its fitness. Selection looks at nothing else, so it should be measured over enough episodes to be more than luck. The curve on the overview shows every member's, and the target as a dashed line.",
  selection:
    "Between generations, selection decides who continues. In a tournament, a few members are drawn at random, and the fittest of them gets a copy in the next generation. Good members spread, weak ones disappear, and those between keep a chance. With elitism the best member always stays. Threads on the wall lead from each parent to its copies.",
  mutation:
    "A copy is rarely left as it is. Mutation changes one thing: a hyperparameter such as the learning rate, the layers or units of a network, an activation, or the weights by some noise. The copy trains on and must prove that the change is useful. Words on its picture tell what is new; most changes help little.",
  champion:
    "The champion is the best member of a run. It has a colour that nothing else has, and so has its line in curves and in the family tree. Lineage tells in sentences why it won: which mutations lasted, and what its sisters reached without them. You can download it, share it as a link and film it.",
} as const;

export type Concept = keyof typeof CONCEPTS;
