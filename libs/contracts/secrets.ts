/**
 * Owner key of a deployment's secrets. The owners and names in this file are shared by the service that stores a secret
 * and the service that decrypts it.
 */
export const deploymentSecrets = (deploymentId: number): string => `deployment:${deploymentId}`;
/** Owner key of a deployment's backup secrets. They outlive the deployment as long as backups are stored. */
export const backupSecrets = (deploymentId: number): string => `backup:${deploymentId}`;
/** Owner key of a provider's credentials entered in the console. */
export const providerSecrets = (provider: string): string => `provider:${provider}`;
/** Names of the JSON with setting names and values, for the credentials in use and those still to be tested. */
export const CREDENTIALS_IN_USE = 'credentials';
export const CREDENTIALS_ENTERED = 'credentials_entered';
export const userSecrets = (userId: number): string => `user:${userId}`;
/** Owner key of the passwords for sudo on a user's own servers. */
export const ownServerSecrets = (userId: number): string => `own_server:${userId}`;

/** Kinds of owner, before the colon, with secrets that the api and the provisioner decrypt. */
export const SHARED_SECRETS = ['deployment', 'user', 'own_server', 'backup', 'provider'] as const;

export const userTwoFactor = (userId: number): string => `two_factor:${userId}`;
/** Owner key of the secrets that the api stores for the whole installation. */
export const installationSecrets = 'installation';

/** Kinds of owner with secrets that only the api decrypts. */
export const ACCOUNT_SECRETS = ['two_factor', 'installation'] as const;

export const SSH_PRIVATE_KEY = 'ssh_private_key';
export const SSH_PUBLIC_KEY = 'ssh_public_key';
/** Returns the name of the sudo password of a user's own server, which is stored while it is needed there. */
export const sudoPassword = (address: string): string => `sudo_password_${address}`;
/** Returns the name of a sudo password that a check has yet to test. */
export const enteredSudoPassword = (checkId: number): string => `sudo_password_of_check_${checkId}`;
/** Base32. */
export const TWO_FACTOR_SECRET = 'totp_secret';
/** Name of a secret's value from before a change of the configuration, until the change has ended. */
export const secretBefore = (name: string): string => `before_${name}`;
/** Password that encrypts the backups of a deployment. */
export const BACKUP_PASSWORD = 'backup_password';
/** Returns the name of an archive's password, which is stored until the archive is prepared. */
export const downloadPassword = (downloadId: number): string => `download_password_${downloadId}`;
/** Keys of the customer's own bucket, and the password of the repository in it. */
export const BUCKET_KEY_ID = 'bucket_access_key_id';
export const BUCKET_KEY = 'bucket_secret_access_key';
export const BUCKET_PASSWORD = 'bucket_password';
export const BUCKET_SECRETS = [BUCKET_KEY_ID, BUCKET_KEY, BUCKET_PASSWORD] as const;
/** Password of the deployment's server at the backup target, which only allows it to add backups. */
export const BACKUP_HOST_PASSWORD = 'backup_host_password';
