export { apiModuleOf, type ApiParts, buildApi } from './build-api';
