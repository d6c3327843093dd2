/** Owners and names of sealed secrets that one service stores and another opens. */
export const deploymentSecrets = (deploymentId: number): string => `deployment:${deploymentId}`;
/** Keys of a deployment's backups. They outlive the deployment, as long as copies are kept. */
export const backupSecrets = (deploymentId: number): string => `backup:${deploymentId}`;
/** Credentials of a cloud provider that were entered in the console. */
export const providerSecrets = (provider: string): string => `provider:${provider}`;
/** JSON of setting names and values: those in use, and those that are still to be tested. */
export const CREDENTIALS_IN_USE = 'credentials';
export const CREDENTIALS_ENTERED = 'credentials_entered';
export const userSecrets = (userId: number): string => `user:${userId}`;

/** The kinds of owner, as they stand before the colon, whose secrets api and provisioner open. */
export const SHARED_SECRETS = ['deployment', 'user', 'backup', 'provider'] as const;

export const userTwoFactor = (userId: number): string => `two_factor:${userId}`;
/** What the api keeps for the whole installation. */
export const installationSecrets = 'installation';

/** The kinds of owner whose secrets the api alone opens. */
export const ACCOUNT_SECRETS = ['two_factor', 'installation'] as const;

export const SSH_PRIVATE_KEY = 'ssh_private_key';
export const SSH_PUBLIC_KEY = 'ssh_public_key';
/** Base32. */
export const TWO_FACTOR_SECRET = 'totp_secret';
/** The password that encrypts the copies of a deployment. */
export const BACKUP_PASSWORD = 'backup_password';
/** The password of an archive, kept until the archive is prepared. */
export const downloadPassword = (downloadId: number): string => `download_password_${downloadId}`;
/** The keys of the customer's own bucket, and the password of the repository in it. */
export const BUCKET_KEY_ID = 'bucket_access_key_id';
export const BUCKET_KEY = 'bucket_secret_access_key';
export const BUCKET_PASSWORD = 'bucket_password';
export const BUCKET_SECRETS = [BUCKET_KEY_ID, BUCKET_KEY, BUCKET_PASSWORD] as const;
/** The password of its server at the backup target, which allows the server only to add copies. */
export const BACKUP_HOST_PASSWORD = 'backup_host_password';
