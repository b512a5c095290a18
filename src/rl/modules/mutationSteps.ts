/** Numbers of nodes that one mutation adds or removes. */
export const NODE_STEPS = [16, 32, 64] as const;

/** The same for channels of convolutions, and for latent vectors. */
export const CHANNEL_STEPS = [8, 16, 32] as const;
