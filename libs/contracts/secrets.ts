/** Owners and names of sealed secrets that one service stores and another opens. */
export const deploymentSecrets = (deploymentId: number): string => `deployment:${deploymentId}`;
export const userSecrets = (userId: number): string => `user:${userId}`;

/** What the api keeps for the whole installation. */
export const installationSecrets = 'installation';
export const userTwoFactor = (userId: number): string => `two_factor:${userId}`;

export const SSH_PRIVATE_KEY = 'ssh_private_key';
export const SSH_PUBLIC_KEY = 'ssh_public_key';
/** Base32. */
export const TWO_FACTOR_SECRET = 'totp_secret';
