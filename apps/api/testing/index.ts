export { apiModuleOf, type ApiParts, buildApi } from './build-api';
export { sampleMails } from '../mail/testing';
export { type FakeStripe, fakeStripe, SECRET as STRIPE_SECRET, sign as signAsStripe } from '../payments/testing';
export { type ApiHarness, apiHarness, type TestAccount } from '../http/testing';
