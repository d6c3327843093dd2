// Must be imported before any class is decorated.
import 'reflect-metadata';
export {
  BACKUP_SECRETS,
  backupDownloadsFolder,
  backupQuota,
  type BackupTarget,
  backupTargetOf,
  hasBackupTarget,
  repositoryAt,
  repositoryOf,
} from './backup-settings';
export {
  CALLBACK_SECRETS,
  CLOUD_SECRETS,
  cloudModeName,
  cloudSetupOf,
  containsCredentials,
  hasCredentials,
  marginOf,
} from './cloud-settings';
export * from './core.module';
export * from './handlers';
export { Metrics } from './metrics';
export { Operations } from './operations/operations';
export { openOperationsPort } from './operations/operations-port';
export { type PlatformDnsKind, platformOf, PLATFORM_SECRETS, type PlatformSetup } from './platform-settings';
export * from './product-events';
export type { CredentialsOf } from './provider-settings';
export * from './read-settings';
export * from './run-service';
export * from './scheduled-tasks';
export * from './service';
export * from './settings';
export { redisServerOf, TRANSPORTS_ON_POSTGRESQL, TransportState } from './transports';
