export { type ApiParts, buildApi } from './build-api';
