export type { Api } from './api';
export type { Pages } from './http/pages';
export { createHttpListener, type HttpListener } from './http/http-listener';
export { SECURITY_EVENTS } from './auth/security-events';
export { SecurityMails } from './auth/security-mails';
export { resetTwoFactor } from './auth/two-factor';
export { Mails, rotateMails } from './mail/mails';
export { startApi, type RunningApi } from './process';
export * from './settings';
