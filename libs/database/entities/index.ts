export * from './audit-record.entity';
export * from './installation.entity';
export * from './mail.entity';
export * from './operator-alert.entity';
export * from './session.entity';
export * from './support-message.entity';
export * from './user-token.entity';
