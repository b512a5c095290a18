/** How many nodes one mutation may add or remove. */
export const NODE_STEPS = [16, 32, 64] as const;

/** The same for channels of convolutions and for widths of latent vectors. */
export const CHANNEL_STEPS = [8, 16, 32] as const;
