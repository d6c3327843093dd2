export { apiModuleOf, type ApiParts, buildApi } from './build-api';
export { sampleMails } from '../mail/testing';
