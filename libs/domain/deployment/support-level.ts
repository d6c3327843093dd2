export type SupportLevel = 1 | 2 | 3;
export const SUPPORT_LEVELS: readonly SupportLevel[] = [1, 2, 3];
